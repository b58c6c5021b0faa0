import type { Handler } from '../api/route.ts'
import type { changes } from './change-messages.ts'

/** Commands of IMAP load parts of imapflow, which most starts do not need. */
function loaded(name: keyof typeof changes): Handler {
  return async (context, request) => {
    const { changes: handlers } = await import('./change-messages.ts')
    const handle: Handler = handlers[name]
    return handle(context, request)
  }
}

export const changeHandlers = {
  changeMessage: loaded('changeMessage'),
  removeMessage: loaded('removeMessage'),
  moveMessage: loaded('moveMessage'),
  changeMessages: loaded('changeMessages'),
  moveMessages: loaded('moveMessages'),
  removeMessages: loaded('removeMessages'),
  // Composing loads nodemailer.
  async uploadMessage(context, request) {
    const { uploadMessage } = await import('./upload-message.ts')
    return uploadMessage(context, request)
  }
} satisfies Record<string, Handler<never, never>>
