import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadOnce } from '../../kernel/load-once.ts'
import { createObjectIdGenerator } from '../../kernel/object-id.ts'
import type { FastPath, Kernel, Mounted } from '../../kernel/service.ts'
import { consoleRoutes } from './console-routes.ts'
import type { CardContext } from './context.ts'
import { ANNOUNCE_JOB, PUBLISH_JOB, UNDO_JOB } from './jobs/kinds.ts'
import type { PageAccess } from './pages/access/signed-in.ts'
import type { BoardStreams } from './pages/board/follower.ts'
import type { BoardImports } from './pages/import/import-job.ts'
import { createSortKeyGenerator } from './records/sort-key.ts'
import type { CardOptions } from './settings.ts'
import { cardStore } from './store/store.ts'
import { deliveryBackoff, MAX_DELIVERIES, WEBHOOK_JOB } from './webhooks/job.ts'

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
    pageAccess: loadOnce(async () => {
      const { createPageAccess } = await import('./pages/access/page-access.ts')
      pageAccess = createPageAccess(context)
      return pageAccess
    }),
    boardStreams: loadOnce(async () => {
      const { createBoardStreams } = await import('./pages/board/streams.ts')
      boardStreams = createBoardStreams(context)
      return boardStreams
    }),
    boardImports: loadOnce(async () => {
      const { createBoardImports } = await import('./pages/import/board-imports.ts')
      boardImports = createBoardImports(context)
      return boardImports
    }),
    nextId: createObjectIdGenerator(now),
    nextSortKey: createSortKeyGenerator(now, Math.random)
  }
  /** Undefined until the first page. */
  let pageAccess: PageAccess | undefined
  /** Undefined until the first stream. */
  let boardStreams: BoardStreams | undefined
  /** Undefined until the first import by upload. */
  let boardImports: BoardImports | undefined
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
    createSignInLink: async (url) => (await context.pageAccess()).createLink(url),
    closeStreams() {
      boardStreams?.end()
      pageAccess?.streams.end()
      boardImports?.stop()
    },
    reset: storeFirstSample,
    jobs: {
      [WEBHOOK_JOB]: {
        backoff: deliveryBackoff,
        maxRunning: MAX_DELIVERIES,
        async run(job) {
          const { deliver } = await import('./webhooks/deliver.ts')
          return deliver(context, job)
        }
      },
      [UNDO_JOB]: {
        async run(job) {
          const { runUndoJob } = await import('./jobs/undo-job.ts')
          return runUndoJob(job)
        }
      },
      [PUBLISH_JOB]: {
        async run(job) {
          const { runPublishJob } = await import('./jobs/publish-job.ts')
          return runPublishJob(context, job)
        }
      },
      [ANNOUNCE_JOB]: {
        async run(job) {
          const { runAnnounceJob } = await import('./jobs/announce-job.ts')
          return runAnnounceJob(context, job)
        }
      }
    },
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
