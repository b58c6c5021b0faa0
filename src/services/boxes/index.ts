import { createObjectIds } from '../../kernel/object-id.ts'
import type { Service } from '../../kernel/service.ts'
import { renderFailure } from './contract.ts'
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
  summary: 'keeps JSON records exactly as sent',
  worksWith: 'jsonbox.io',
  tryPath: '/',
  settings,
  migrations,
  derived,
  server: { rewriteUrl: () => '/' },
  renderFailure,
  openapi,
  async mount(app, kernel, options) {
    const { database, now, clientAddress } = kernel
    const store = boxStore(database, createObjectIds(now), now)
    const countRequest = createCountRequest(options.rateLimit, now, clientAddress)
    boxRoutes(app, { kernel, options, store, countRequest })
    return { reset: store.forgetBoxes }
  }
}
