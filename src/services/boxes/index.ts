import { createObjectIds } from '../../kernel/object-id.ts'
import type { Service } from '../../kernel/service.ts'
import { createFollowers } from './changes/followers.ts'
import { renderFailure } from './contract.ts'
import { deskRoutes } from './desk.ts'
import { deskWork } from './exchange/commands.ts'
import { openapi } from './openapi.ts'
import { createCountRequest } from './rate-limit.ts'
import { boxRoutes } from './routes.ts'
import { settings } from './settings.ts'
import { derived } from './store/derived.ts'
import { migrations } from './store/migrations.ts'
import { boxStore } from './store/store.ts'

/** I-2, the JSON storage API: a record goes in, and comes back exactly as it was sent. */
export const boxes: Service<typeof settings> = {
  name: 'boxes',
  label: 'I-2',
  summary: 'stores JSON records exactly as sent',
  worksWith: 'jsonbox.io',
  tryPath: '/',
  settings,
  migrations,
  derived,
  server: { rewriteUrl: () => '/' },
  renderFailure,
  openapi,
  tools: { desk: deskWork },
  async mount(kernel, options) {
    const { database, now, clientAddress } = kernel
    const store = boxStore(database, createObjectIds(now), now)
    const countRequest = createCountRequest(options.rateLimit, now, clientAddress)
    const followers = createFollowers(store.watch.listen, options.maxStreams)
    const room = { kernel, options, store, countRequest, followers }
    store.startSweeping()
    store
      .finishIndexes()
      .catch(() =>
        kernel.warn('Some indexes are not complete; building continues at the next start.')
      )
    return {
      routes: (app) => boxRoutes(app, room),
      consoleRoutes: (console) => deskRoutes(console, room),
      leave: followers.leave,
      reset: store.forgetBoxes,
      async stop() {
        store.watch.stop()
        await store.stopSweeping()
      }
    }
  }
}
