import { createHeldRequests } from '../../kernel/held-requests.ts'
import { createObjectIdGenerator } from '../../kernel/object-id.ts'
import type { Kernel, Mounted } from '../../kernel/service.ts'
import { createFollowers } from './changes/followers.ts'
import { createCountRequest } from './http/rate-limit.ts'
import { consoleRoutes } from './import-export/console-routes.ts'
import { boxRoutes } from './routes.ts'
import type { BoxOptions } from './settings.ts'
import { boxStore } from './store/store.ts'

export function mountBoxes(kernel: Kernel, options: BoxOptions): Mounted {
  const { database, now, clientIp } = kernel
  const store = boxStore(database, createObjectIdGenerator(now), now)
  const countRequest = createCountRequest(options.rateLimit, now, clientIp)
  const held = createHeldRequests(options.maxStreams, kernel.held)
  const followers = createFollowers(store.watch.listen, held)
  const context = { kernel, options, store, countRequest, followers }
  store.startSweeping()
  store
    .finishIndexes()
    .catch(() =>
      kernel.warn('Some indexes are not complete; building continues at the next start.')
    )
  return {
    routes: (app) => boxRoutes(app, context),
    consoleRoutes: (console) => consoleRoutes(console, context),
    consoleLinks: [{ path: '/boxes/', text: 'All boxes' }],
    closeStreams: followers.closeAll,
    reset: store.forgetBoxes,
    async stop() {
      store.watch.stop()
      await store.stopSweeping()
    }
  }
}
