import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createNotifications } from '../../kernel/database/notifications.ts'
import { loadOnce } from '../../kernel/load-once.ts'
import type { Kernel, Mounted } from '../../kernel/service.ts'
import type { StatusContext } from './context.ts'
import type { KeptResponses } from './http/kept-responses.ts'
import { createRefusal } from './http/refusal.ts'
import { consoleRoutes } from './receive/console-routes.ts'
import type { StatusOptions } from './settings.ts'
import { readRevision } from './store/revision.ts'
import { statusStore } from './store/store.ts'

/** Everything that clients see changes together. */
const REVISION = 'revision'

export function mountStatuses(kernel: Kernel, options: StatusOptions): Mounted {
  const { database, now } = kernel
  /** Undefined until the first request. */
  let kept: KeptResponses | undefined
  let generation = 0
  const startedAt = now()
  let endImports = () => {}

  function purge(): void {
    generation++
    kept?.cache.forget()
  }

  const notifications = createNotifications(
    database,
    async () => new Map([[REVISION, (await database.read(readRevision))?.version]])
  )
  notifications.subscribe(REVISION, purge)
  const context: StatusContext = {
    kernel,
    options,
    uploadFolder: join(kernel.folder, 'incoming'),
    store: statusStore(database, now, () => notifications.notify(REVISION)),
    images: loadOnce(async () => {
      const { createImages } = await import('../../kernel/images/images.ts')
      return createImages()
    }),
    posting: loadOnce(async () => {
      const { createPosting } = await import('./posting/create-posting.ts')
      return createPosting(context)
    }),
    generation: () => generation,
    async lastModified() {
      const changedAt = Date.parse((await database.read(readRevision))?.changedAt ?? '')
      return changedAt > startedAt.getTime() ? new Date(changedAt) : startedAt
    }
  }
  removeLeftovers().catch((error: Error) =>
    kernel.warn(`Uploads were not removed: ${error.message}`)
  )
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

  /** Pages are shown also if nothing can be written; the next post or change erases them then. */
  async function eraseOldPosts(): Promise<void> {
    try {
      await context.store.erasePosts()
    } catch (error) {
      kernel.warn(`Deleted posts were not erased: ${(error as Error).message}`)
    }
  }

  /** Uploads of a killed process; most starts load nothing for it. */
  async function removeLeftovers(): Promise<void> {
    if (!existsSync(context.uploadFolder)) return
    const { removeStaleUploads } = await import('../../kernel/upload.ts')
    await removeStaleUploads(context.uploadFolder)
  }

  function fastPath(request: IncomingMessage, response: ServerResponse): boolean {
    return refuse(request, response) || kept?.send(request, response) === true
  }

  return {
    fastPath,
    lazyRoutes: true,
    async routes(app) {
      const { statusRoutes } = await import('./routes.ts')
      const { keepResponses } = await import('./http/kept-responses.ts')
      await context.store.enlargeCache()
      await storeFirstSample()
      await eraseOldPosts()
      kept = keepResponses(kernel.baseUrl)
      statusRoutes(app, context, kept.cache)
    },
    async bindToken(flags) {
      const { bindToken } = await import('./posting/bind-token.ts')
      return bindToken(context.store, flags)
    },
    async nameBindings(bindings) {
      const { readUserNames } = await import('./store/accounts.ts')
      return database.read(() => readUserNames(bindings))
    },
    consoleRoutes(console) {
      endImports = consoleRoutes(console, context)
    },
    consoleLinks: [{ path: '/statuses/', text: 'Write' }],
    closeStreams: () => endImports(),
    async reset() {
      purge()
      await storeFirstSample()
    },
    stop: notifications.stop
  }
}
