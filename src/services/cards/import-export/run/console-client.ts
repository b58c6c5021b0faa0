import { setTimeout as wait } from 'node:timers/promises'
import type { ArchiveEntry } from '../../../../kernel/archive-source/entries.ts'
import { UserError } from '../../../../kernel/errors.ts'
import { messageOf } from '../../../../kernel/exchange/console-message.ts'
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
  readonly #endpoint: ConsoleEndpoint

  constructor(endpoint: ConsoleEndpoint) {
    this.#endpoint = endpoint
  }

  sendBoard(request: BoardRequest): Promise<BoardResponse> {
    return this.#sendJson('board', request)
  }

  sendParts(request: PartsRequest): Promise<PartsResponse> {
    return this.#sendJson('parts', request)
  }

  findKnown(request: KnownRequest): Promise<KnownResponse> {
    return this.#sendJson('known', request)
  }

  /** Each card is the JSON of an `ImportedCard`. */
  sendCards(board: string, cards: readonly string[], dryRun: boolean): Promise<CardsResponse> {
    return this.#send(
      'cards',
      `{"board":"${board}","cards":[${cards.join(',')}],"dryRun":${dryRun}}`
    )
  }

  sendActions(request: ActionsRequest): Promise<ActionsResponse> {
    return this.#sendJson('actions', request)
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
      const response = await this.#post('files', read(), headers).catch((error) => error as Error)
      if (damage !== undefined) return { rejected: damage.message }
      if (response instanceof Error) throw response
      return response
    })
  }

  download(request: DownloadRequest): Promise<StoredUpload | RejectedFile> {
    return this.#repeat(() => this.#post('download', JSON.stringify(request)))
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

  #sendJson<T>(path: string, body: object): Promise<T> {
    return this.#send(path, JSON.stringify(body))
  }

  async #send<T>(path: string, body: string): Promise<T> {
    const response = await this.#post(path, body)
    if (response.ok) return response.json() as Promise<T>
    throw new UserError(await messageOf(response))
  }

  async #post(
    path: string,
    body: string | AsyncIterable<Buffer>,
    more: Record<string, string> = {}
  ): Promise<Response> {
    const { url, headers } = this.#endpoint
    const init = { method: 'POST', headers: { ...headers, ...more }, body, duplex: 'half' }
    return fetch(`${url}/import/${path}`, init as RequestInit).catch((cause) => {
      throw new UserError(
        'nonet ended during the import; run the command again: what is stored is not stored twice',
        { cause }
      )
    })
  }
}
