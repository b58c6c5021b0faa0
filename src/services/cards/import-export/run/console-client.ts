import { setTimeout as wait } from 'node:timers/promises'
import type { ArchiveEntry } from '../../../../kernel/archive-source/entries.ts'
import { UserError } from '../../../../kernel/errors.ts'
import { messageOf } from '../../../../kernel/exchange/console-message.ts'
import { createImportSender, type ImportSender } from '../../../../kernel/exchange/import-sender.ts'
import type { ConsoleEndpoint } from '../../../../kernel/service.ts'
import type { StoredUpload } from '../../records/stored-upload.ts'
import {
  type ActionsRequest,
  type ActionsResponse,
  type BoardRequest,
  type BoardResponse,
  type CardsResponse,
  type DownloadRequest,
  FILE_NAME_HEADER,
  type KnownRequest,
  type KnownResponse,
  type PartsRequest,
  type PartsResponse
} from '../protocol.ts'

const REJECTED = new Set([413, 422])
const UNAVAILABLE = 503
const ATTEMPTS = 20
const RETRY_MS = 500

/** A file that is not stored, with the reason. */
export interface RejectedFile {
  rejected: string
}

/** Sends what an export contains to the console of the service. */
export class ConsoleClient {
  readonly #sender: ImportSender

  constructor(endpoint: ConsoleEndpoint) {
    this.#sender = createImportSender(endpoint, 'what is stored is')
  }

  sendBoard(request: BoardRequest): Promise<BoardResponse> {
    return this.#sender.sendJson('board', request)
  }

  sendParts(request: PartsRequest): Promise<PartsResponse> {
    return this.#sender.sendJson('parts', request)
  }

  findKnown(request: KnownRequest): Promise<KnownResponse> {
    return this.#sender.sendJson('known', request)
  }

  /** Each card is the JSON of an `ImportedCard`. */
  sendCards(board: string, cards: readonly string[], dryRun: boolean): Promise<CardsResponse> {
    return this.#sender.send(
      'cards',
      `{"board":"${board}","cards":[${cards.join(',')}],"dryRun":${dryRun}}`
    )
  }

  sendActions(request: ActionsRequest): Promise<ActionsResponse> {
    return this.#sender.sendJson('actions', request)
  }

  /** A file that is damaged or too large does not end the import. */
  upload(entry: ArchiveEntry, fileName: string): Promise<StoredUpload | RejectedFile> {
    return this.#repeat(async () => {
      let damage: Error | undefined
      async function* read(): AsyncGenerator<Buffer> {
        try {
          yield* entry.read()
        } catch (error) {
          damage = error as Error
          throw error
        }
      }
      const headers = { [FILE_NAME_HEADER]: encodeURIComponent(fileName) }
      const response = await this.#sender
        .post('files', read(), headers)
        .catch((error) => error as Error)
      if (damage !== undefined) return { rejected: damage.message }
      if (response instanceof Error) throw response
      return response
    })
  }

  download(request: DownloadRequest): Promise<StoredUpload | RejectedFile> {
    return this.#repeat(() => this.#sender.post('download', JSON.stringify(request)))
  }

  /** While the service works on too many images. */
  async #repeat(
    send: () => Promise<Response | RejectedFile>
  ): Promise<StoredUpload | RejectedFile> {
    for (let attempt = 1; ; attempt++) {
      const response = await send()
      if (!(response instanceof Response)) return response
      if (response.ok) return response.json() as Promise<StoredUpload>
      if (REJECTED.has(response.status)) return { rejected: await messageOf(response) }
      if (response.status !== UNAVAILABLE || attempt === ATTEMPTS) {
        throw new UserError(await messageOf(response))
      }
      await wait(RETRY_MS)
    }
  }
}
