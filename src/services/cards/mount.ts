import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadOnce } from '../../kernel/load-once.ts'
import { createObjectIdGenerator } from '../../kernel/object-id.ts'
import type { FastPath, Kernel, Mounted } from '../../kernel/service.ts'
import { consoleRoutes } from './console-routes.ts'
import type { CardContext } from './context.ts'
import { createSortKeyGenerator } from './records/sort-key.ts'
import type { CardOptions } from './settings.ts'
import { cardStore } from './store/store.ts'

export function mountCards(kernel: Kernel, options: CardOptions): Mounted {
  const { database, now } = kernel
  const context: CardContext = {
    kernel,
    options,
    uploadFolder: join(kernel.folder, 'incoming'),
    store: cardStore(database, now),
    images: loadOnce(async () => {
      const { createImages } = await import('../../kernel/images/images.ts')
      return createImages({ svg: true, encodesAgain: true })
    }),
    signing: loadOnce(async () => {
      const { createSigning } = await import('./http/signing.ts')
      return createSigning(context.store, kernel.secrets)
    }),
    nextId: createObjectIdGenerator(now),
    nextSortKey: createSortKeyGenerator(now, Math.random)
  }
  /** Undefined until the first request. */
  let fastPath: FastPath | undefined
  removeLeftovers().catch((error: Error) =>
    kernel.warn(`Uploads were not removed: ${error.message}`)
  )

  /** Uploads of a killed process; most starts load nothing for it. */
  async function removeLeftovers(): Promise<void> {
    if (!existsSync(context.uploadFolder)) return
    const { removeStaleUploads } = await import('../../kernel/upload.ts')
    await removeStaleUploads(context.uploadFolder)
  }

  /** With the first request, so that a start with an import stores none. */
  async function storeFirstSample(): Promise<void> {
    const { storeFirstSample: store } = await import('./sample/first-sample.ts')
    try {
      await store(context)
    } catch (error) {
      kernel.warn(`The sample board of cards was not stored: ${(error as Error).message}`)
    }
  }

  return {
    fastPath: (request, response) => fastPath?.(request, response) === true,
    lazyRoutes: true,
    async routes(app) {
      const { cardRoutes } = await import('./routes.ts')
      await storeFirstSample()
      fastPath = cardRoutes(app, context)
    },
    consoleRoutes: (console) => consoleRoutes(console, context),
    reset: storeFirstSample,
    async bindToken(flags, scopes) {
      const { bindToken } = await import('./tokens/bind-token.ts')
      return bindToken(context, flags, scopes)
    },
    async nameBindings(bindings) {
      const { nameBindings } = await import('./tokens/bind-token.ts')
      return nameBindings(context, bindings)
    }
  }
}
