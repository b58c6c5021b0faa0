import { createChangeStreams } from '../../kernel/change-streams.ts'
import { createRateLimit } from '../../kernel/rate-limit.ts'
import type { Kernel, Mounted } from '../../kernel/service.ts'
import { createCatch } from './catch.ts'
import { catchRoutes } from './catch-routes.ts'
import type { FormConfig, FormDeps } from './config.ts'
import { consoleRoutes } from './console-routes.ts'
import { createInbox } from './inbox.ts'
import { limitParallel } from './parallel.ts'
import { formRoutes } from './routes.ts'
import { checkOptions, type FormOptions } from './start-check.ts'

const MAX_PARALLEL_CALLS = 20
const RATE_WINDOW_MS = 60_000

export function mountForms(kernel: Kernel, options: FormOptions): Mounted {
  checkOptions(options, kernel)
  const caught = createCatch(kernel.now)
  const inbox = createInbox()
  const shownInbox = kernel.consoleEndpoint === undefined ? undefined : inbox
  const live = createChangeStreams(kernel)
  const { clientIp, now } = kernel
  const config = configOf(options, kernel)
  const deps = depsOf(options, kernel)
  return {
    routes: (app) =>
      formRoutes(app, { ...options, config, clientIp, now, inbox: shownInbox }, deps),
    consoleRoutes(console) {
      catchRoutes(console, caught)
      consoleRoutes(console, { kernel, options, config, deps, inbox, caught, live })
    },
    consoleLinks: [{ path: '/forms/', text: 'Inbox of forms' }],
    startupNote:
      options.webhook === undefined ? 'shown on the console until you set one' : undefined,
    reset() {
      caught.clear()
      inbox.clear()
    },
    closeStreams: live.close
  }
}

function configOf(
  options: FormOptions,
  { consoleEndpoint: ownConsole, loopback }: Kernel
): () => FormConfig {
  const config = { ...options, loopbackOrigins: loopback }
  if (options.webhook !== undefined || ownConsole === undefined) return () => config
  return () => {
    const { url, headers } = ownConsole()
    return { ...config, webhook: `${url}/catch`, webhookHeaders: headers }
  }
}

function depsOf({ rateLimit, webhook }: FormOptions, { now, outbound }: Kernel): FormDeps {
  // Without a webhook of the operator, forms are sent to the console.
  const toConsole = webhook === undefined
  const send = limitParallel(
    (url, request) => outbound.fetch(url, { ...request, toConsole }),
    MAX_PARALLEL_CALLS
  )
  if (rateLimit === 0) return { now, send }
  const count = createRateLimit({ limit: rateLimit, windowMs: RATE_WINDOW_MS }, now)
  return { now, send, secondsToWait: (ip) => count(ip).retryAfter }
}
