import { setMaxListeners } from 'node:events'
import { loadOnce } from '../../kernel/load-once.ts'
import { createRateLimit } from '../../kernel/rate-limit.ts'
import type { Kernel, Mounted } from '../../kernel/service.ts'
import type { MailboxContext } from './context.ts'
import { repeatRetention } from './events/retention-timer.ts'
import { createTls } from './sandbox/certificate.ts'
import { extensionsWithout } from './sandbox/imap/extensions.ts'
import { imapListener } from './sandbox/imap/listener.ts'
import { smtpListener } from './sandbox/smtp/listener.ts'
import type { MailboxOptions } from './settings.ts'
import { mailStore } from './store/store.ts'
import {
  MAX_JOB_ATTEMPTS,
  MAX_SENDING,
  SCHEDULE_JOB,
  SEND_TIMEOUT_MS,
  SUBMIT_JOB
} from './submit/jobs.ts'
import { createWatchControl } from './watch/watch-control.ts'
import {
  DELIVERY_TIMEOUT_MS,
  deliveryBackoff,
  MAX_DELIVERIES,
  MAX_DELIVERY_ATTEMPTS,
  WEBHOOK_JOB
} from './webhooks/jobs.ts'

const NEW_ACCOUNTS = { limit: 100, windowMs: 60_000 }

export function mountMailbox(kernel: Kernel, options: MailboxOptions): Mounted {
  extensionsWithout(options.sandboxWithout)
  const countRequest = createRateLimit(NEW_ACCOUNTS, kernel.now)
  const stopping = new AbortController()
  // The number of responses that wait is limited elsewhere.
  setMaxListeners(0, stopping.signal)
  const limits = { messages: options.sandboxMessages, bytes: options.sandboxBytes }
  const store = mailStore(kernel, limits)
  const settings = loadOnce(async () => {
    const { openSettings } = await import('./control/open-settings.ts')
    return openSettings({ kernel })
  })
  let stopDaemon = async () => {}
  const daemon = loadOnce(async () => {
    const { openDaemon } = await import('./daemon/open-daemon.ts')
    const opened = openDaemon(context, await settings())
    stopDaemon = opened.stop
    return opened
  })
  const context: MailboxContext = {
    kernel,
    options,
    store,
    settings,
    daemon,
    get watch() {
      return watch
    },
    startedAt: kernel.now().getTime(),
    secureContext: createTls(kernel),
    countNewAccount: () => countRequest(''),
    stopping: stopping.signal
  }
  const watch = createWatchControl(context)
  const retention = repeatRetention(kernel)
  const imap = imapListener(context)
  kernel.listen('imap', imap)
  kernel.listen('smtp', smtpListener(context))
  const sessions = loadOnce(async () => {
    const { createMailSessions } = await import('./pages/sessions.ts')
    return createMailSessions(kernel)
  })
  const deliveries = loadOnce(async () => {
    const { openDeliveries } = await import('./webhooks/deliver.ts')
    return openDeliveries(context)
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
    started: watch.start,
    jobs: {
      [WEBHOOK_JOB]: {
        maxAttempts: MAX_DELIVERY_ATTEMPTS,
        maxRunning: MAX_DELIVERIES,
        timeoutMs: DELIVERY_TIMEOUT_MS,
        backoff: deliveryBackoff,
        async run(job) {
          const deliver = await deliveries()
          return deliver(job)
        }
      },
      [SUBMIT_JOB]: {
        maxAttempts: MAX_JOB_ATTEMPTS,
        maxRunning: MAX_SENDING,
        timeoutMs: SEND_TIMEOUT_MS,
        async run(job) {
          const { runSubmitJob } = await import('./submit/deliver.ts')
          return runSubmitJob(context, job)
        }
      },
      [SCHEDULE_JOB]: {
        maxAttempts: MAX_JOB_ATTEMPTS,
        async run(job) {
          const { runScheduleJob } = await import('./submit/schedule.ts')
          return runScheduleJob(context, job)
        }
      }
    },
    async bindToken(flags) {
      const { bindToken } = await import('./tokens/bind-token.ts')
      return bindToken(context, flags)
    },
    async nameBindings(bindings) {
      const { nameBindings } = await import('./tokens/bind-token.ts')
      return nameBindings(context, bindings)
    },
    // Sessions know mailboxes by ids, which begin anew.
    async reset() {
      imap.disconnect()
      const opened = await settings()
      opened.forget()
      watch.wake()
    },
    async stop() {
      await retention.stop()
      await watch.stop()
      await stopDaemon()
      store.stop()
    }
  }
}
