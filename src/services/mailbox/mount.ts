import { setMaxListeners } from 'node:events'
import { loadOnce } from '../../kernel/load-once.ts'
import { createRateLimit } from '../../kernel/rate-limit.ts'
import type { Kernel, Mounted } from '../../kernel/service.ts'
import type { MailboxContext } from './context.ts'
import { createTls } from './sandbox/certificate.ts'
import { extensionsWithout } from './sandbox/imap/extensions.ts'
import { imapListener } from './sandbox/imap/listener.ts'
import { smtpListener } from './sandbox/smtp/listener.ts'
import type { MailboxOptions } from './settings.ts'
import { mailStore } from './store/store.ts'

const NEW_ACCOUNTS = { limit: 100, windowMs: 60_000 }

export function mountMailbox(kernel: Kernel, options: MailboxOptions): Mounted {
  extensionsWithout(options.sandboxWithout)
  const countRequest = createRateLimit(NEW_ACCOUNTS, kernel.now)
  const stopping = new AbortController()
  // The number of responses that wait is limited elsewhere.
  setMaxListeners(0, stopping.signal)
  const limits = { messages: options.sandboxMessages, bytes: options.sandboxBytes }
  const store = mailStore(kernel, limits)
  const context: MailboxContext = {
    kernel,
    options,
    store,
    secureContext: createTls(kernel),
    countNewAccount: () => countRequest(''),
    stopping: stopping.signal
  }
  const imap = imapListener(context)
  kernel.listen('imap', imap)
  kernel.listen('smtp', smtpListener(context))
  const sessions = loadOnce(async () => {
    const { createMailSessions } = await import('./pages/sessions.ts')
    return createMailSessions(kernel)
  })
  return {
    lazyRoutes: true,
    closeStreams: () => stopping.abort(),
    async routes(app) {
      const { mailboxRoutes } = await import('./routes.ts')
      mailboxRoutes(app, context, await sessions())
    },
    async createSignInLink(url) {
      const { operatorLink } = await import('./pages/sessions.ts')
      return operatorLink(await sessions(), url)
    },
    async bindToken(flags) {
      const { bindToken } = await import('./tokens/bind-token.ts')
      return bindToken(context.store, flags)
    },
    async nameBindings(bindings) {
      const { nameBindings } = await import('./tokens/bind-token.ts')
      return nameBindings(context.store, bindings)
    },
    // Sessions know mailboxes by ids, which begin anew.
    reset: imap.disconnect,
    stop: store.stop
  }
}
