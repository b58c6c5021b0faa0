import type { Handler } from '../api/route.ts'
import { listOutbox, removeQueued, showQueued } from './outbox-handlers.ts'

export const submitHandlers = {
  // Composing loads nodemailer.
  async submit(context, request) {
    const { submit } = await import('./submit-message.ts')
    return submit(context, request)
  },
  async submitDraft(context, request) {
    const { submitDraft } = await import('./submit-draft.ts')
    return submitDraft(context, request)
  },
  listOutbox,
  showQueued,
  removeQueued
} satisfies Record<string, Handler<never, never>>
