import { createObjectIdGenerator } from '../../kernel/object-id.ts'
import type { Service } from '../../kernel/service.ts'
import { createFollowers } from './changes/followers.ts'
import { renderError } from './contract.ts'
import { createCountRequest } from './http/rate-limit.ts'
import { remoteCommands } from './import-export/commands.ts'
import { consoleRoutes } from './import-export/console-routes.ts'
import { openapi } from './openapi/openapi.ts'
import { boxRoutes } from './routes.ts'
import { settings } from './settings.ts'
import { derived } from './store/derived.ts'
import { migrations } from './store/migrations.ts'
import { boxStore } from './store/store.ts'

/** I-2, the JSON storage API: records are returned exactly as they were sent. */
export const boxes: Service<typeof settings> = {
  name: 'boxes',
  label: 'I-2',
  summary: 'stores JSON records exactly as sent',
  compatibleWith: 'jsonbox.io',
  tryPath: '/',
  settings,
  migrations,
  derived,
  server: { rewriteUrl: () => '/' },
  renderError,
  openapi,
  tools: { remote: remoteCommands },
  async mount(kernel, options) {
    const { database, now, clientIp } = kernel
    const store = boxStore(database, createObjectIdGenerator(now), now)
    const countRequest = createCountRequest(options.rateLimit, now, clientIp)
    const followers = createFollowers(store.watch.listen, options.maxStreams)
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
      closeStreams: followers.closeAll,
      reset: store.forgetBoxes,
      async stop() {
        store.watch.stop()
        await store.stopSweeping()
      }
    }
  }
}
