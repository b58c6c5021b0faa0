import type { IncomingMessage, ServerResponse } from 'node:http'
import { createNotifications } from '../../kernel/database/notifications.ts'
import type { Images } from '../../kernel/images/images.ts'
import { sendPrepared } from '../../kernel/prepared-response.ts'
import { toOriginForm } from '../../kernel/request-target.ts'
import { createResponseCache } from '../../kernel/response-cache.ts'
import type { Kernel, Mounted } from '../../kernel/service.ts'
import type { StatusContext } from './context.ts'
import { negotiate } from './http/negotiation.ts'
import { createRefusal } from './http/refusal.ts'
import { consoleRoutes } from './receive/console-routes.ts'
import type { StatusOptions } from './settings.ts'
import { readRevision } from './store/revision.ts'
import { statusStore } from './store/store.ts'

/** Of the responses of one base URL and representation. */
const MAX_LANE_BYTES = 8 * 1024 * 1024
/** Everything that clients see changes together. */
const REVISION = 'revision'

export function mountStatuses(kernel: Kernel, options: StatusOptions): Mounted {
  const { database, now, baseUrl } = kernel
  const cache = createResponseCache(MAX_LANE_BYTES)
  let generation = 0
  const startedAt = now()
  let images: Promise<Images> | undefined

  function purge(): void {
    generation++
    cache.forget()
  }

  const notifications = createNotifications(
    database,
    async () => new Map([[REVISION, (await database.read(readRevision))?.version]])
  )
  notifications.subscribe(REVISION, purge)
  const context: StatusContext = {
    kernel,
    options,
    store: statusStore(database, now, () => notifications.notify(REVISION)),
    images() {
      images ??= import('../../kernel/images/images.ts').then(({ createImages }) => createImages())
      return images
    },
    generation: () => generation,
    async lastModified() {
      const changedAt = Date.parse((await database.read(readRevision))?.changedAt ?? '')
      return changedAt > startedAt.getTime() ? new Date(changedAt) : startedAt
    }
  }
  const refuse = createRefusal(kernel, options)

  /** With the first request, so that a start with an import stores none. */
  async function storeFirstSample(): Promise<void> {
    const { isFirstStart, storeSample } = await import('./sample/sample.ts')
    try {
      if (await isFirstStart(context.store)) await storeSample(context.store, kernel.files)
    } catch (error) {
      kernel.warn(`The sample account of statuses was not stored: ${(error as Error).message}`)
    }
  }

  function fastPath(request: IncomingMessage, response: ServerResponse): boolean {
    if (refuse(request, response)) return true
    const url = toOriginForm(request.url ?? '')
    const prepared = cache.find(baseUrl(request), negotiate(request.headers.accept), url)
    if (prepared === undefined) return false
    sendPrepared(request, response, prepared)
    return true
  }

  return {
    fastPath,
    lazyRoutes: true,
    async routes(app) {
      const { statusRoutes } = await import('./routes.ts')
      await storeFirstSample()
      statusRoutes(app, context, cache)
    },
    consoleRoutes: (console) => consoleRoutes(console, context),
    async reset() {
      purge()
      await storeFirstSample()
    },
    stop: notifications.stop
  }
}
