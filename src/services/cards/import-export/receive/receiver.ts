import type { IncomingMessage } from 'node:http'
import { createRequestReader } from '../../../../kernel/exchange/request-reader.ts'
import type { CardContext } from '../../context.ts'
import {
  FileUnknown,
  ImportAborted,
  ImportConflict,
  ImportInvalid,
  ImportTooLarge,
  MemberUnknown
} from '../../contract.ts'
import { importActions } from '../../store/import/import-actions.ts'
import { importBoard } from '../../store/import/import-board.ts'
import { importCards } from '../../store/import/import-cards.ts'
import { importParts } from '../../store/import/import-parts.ts'
import { readStoredFiles } from '../../store/import/stored-files.ts'
import { markFirstStart, removeSample } from '../../store/sample.ts'
import type { ImportedCard } from '../imported.ts'
import {
  type ActionsRequest,
  type ActionsResponse,
  type BoardRequest,
  type BoardResponse,
  type CardsRequest,
  type CardsResponse,
  type DownloadRequest,
  type KnownRequest,
  MAX_BATCH_BYTES,
  type PartsRequest
} from '../protocol.ts'
import { downloadFile } from './download.ts'
import { receiveFile } from './receive-file.ts'
import { SCHEMAS } from './schemas.ts'

const SAMPLE_REMOVED = 'the sample board was deleted'

/** Handles the requests of the import command; each stores all that was sent or nothing. */
export type Receiver = Readonly<Record<string, (request: IncomingMessage) => Promise<object>>>

export function createReceiver(context: CardContext): Receiver {
  const { kernel, options, store } = context
  const { maxCards, maxAttachments, maxImportBytes, maxFileBytes } = options
  const readRequest = createRequestReader({
    schemas: SCHEMAS,
    maxBytes: MAX_BATCH_BYTES,
    errors: {
      tooLarge: (maxBytes) => new ImportTooLarge(maxBytes),
      aborted: () => new ImportAborted(),
      invalid: (problem) => new ImportInvalid(problem)
    }
  })

  /** Throws if a file is not stored; the others are kept until the transaction. */
  async function keepFiles(cards: readonly ImportedCard[]): Promise<void> {
    const uploads = cards.flatMap(({ attachments }) =>
      attachments.flatMap((one) => one.upload ?? [])
    )
    const files = uploads.flatMap(({ hash, image }) => [hash, ...(image ? [image.hash] : [])])
    for (const hash of new Set(files)) {
      if ((await kernel.files.keep(hash)) === undefined) throw new FileUnknown(hash)
    }
  }

  return {
    async board(raw) {
      const request = await readRequest<BoardRequest>(raw, 'board')
      const memberId = context.nextId()
      const outcome = await store.change(function* change(time) {
        const hadSample = !request.dryRun && (yield* removeSample())
        if (!request.dryRun) yield* markFirstStart(time)
        const result = yield* importBoard({ ...request, isSample: false, memberId }, time)
        if (result === 'used') throw new ImportConflict()
        if ('unknownMember' in result) throw new MemberUnknown(result.unknownMember)
        return hadSample ? { ...result, notes: [...result.notes, SAMPLE_REMOVED] } : result
      })
      return { ...outcome, maxImportBytes, maxFileBytes } satisfies BoardResponse
    },

    async parts(raw) {
      const request = await readRequest<PartsRequest>(raw, 'parts')
      return store.change((time) => importParts(request, time))
    },

    async known(raw) {
      const { board, attachments } = await readRequest<KnownRequest>(raw, 'known')
      const known: [string, number][] = []
      for (const { id, hash, bytes } of await store.read(() =>
        readStoredFiles(board, attachments)
      )) {
        // A file that was lost is uploaded again.
        if ((await kernel.files.size(hash)) === bytes) known.push([id, bytes])
      }
      return Object.fromEntries(known)
    },

    files: (raw) => receiveFile(context, raw),

    async download(raw) {
      return downloadFile(context, await readRequest<DownloadRequest>(raw, 'download'))
    },

    async cards(raw) {
      const request = await readRequest<CardsRequest>(raw, 'cards')
      if (!request.dryRun) await keepFiles(request.cards)
      const limits = { maxCards, maxAttachments }
      return store.change((time) =>
        importCards({ ...request, ...limits }, time)
      ) satisfies Promise<CardsResponse>
    },

    async actions(raw) {
      const request = await readRequest<ActionsRequest>(raw, 'actions')
      const results = await store.change((time) => importActions(request, time))
      return { results } satisfies ActionsResponse
    },

    async 'remove-sample'() {
      return { removed: await store.change(() => removeSample(), { frees: true }) }
    }
  }
}
