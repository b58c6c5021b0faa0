import { setTimeout as wait } from 'node:timers/promises'
import type { ArchiveEntry } from '../../../kernel/archive-source/entries.ts'
import { UserError } from '../../../kernel/errors.ts'
import { messageOf } from '../../../kernel/exchange/console-message.ts'
import { createImportSender, type ImportSender } from '../../../kernel/exchange/import-sender.ts'
import type { ConsoleEndpoint } from '../../../kernel/service.ts'
import type {
  AccountRequest,
  AccountResponse,
  EndRequest,
  KnownMedia,
  PostsResponse,
  StoredFile
} from './protocol.ts'

const UNPROCESSABLE = 422
const TOO_LARGE = 413
const UNAVAILABLE = 503
const ATTEMPTS = 20
const RETRY_MS = 500

/** A file that is not stored, with the reason. */
export interface RefusedFile {
  refused: string
}

/** Sends what an archive contains to the console of the service. */
export class ConsoleClient {
  readonly #sender: ImportSender

  constructor(endpoint: ConsoleEndpoint) {
    this.#sender = createImportSender(endpoint, 'posts that are stored are')
  }

  sendAccount(request: AccountRequest): Promise<AccountResponse> {
    return this.#sender.sendJson('account', request)
  }

  findKnown(keys: readonly string[]): Promise<KnownMedia> {
    return this.#sender.sendJson('known', { keys })
  }

  /** Each post is the JSON of an `ImportedPost`. */
  async sendPosts(
    account: string,
    posts: readonly string[],
    dryRun: boolean
  ): Promise<PostsResponse> {
    const list = `[${posts.join(',')}]`
    return this.#sender.send(
      'posts',
      `{"account":${JSON.stringify(account)},"posts":${list},"dryRun":${dryRun}}`
    )
  }

  async end(request: EndRequest): Promise<void> {
    await this.#sender.sendJson('end', request)
  }

  /** A file that is damaged, or of a type that is not stored, does not end the import. */
  async upload(entry: ArchiveEntry): Promise<StoredFile | RefusedFile> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#tryUpload(entry)
      if (outcome !== 'busy') return outcome
      if (attempt === ATTEMPTS) throw new UserError(`Cannot store ${entry.label}: nonet is busy`)
      await wait(RETRY_MS)
    }
  }

  async #tryUpload(entry: ArchiveEntry): Promise<StoredFile | RefusedFile | 'busy'> {
    let damage: Error | undefined
    async function* read(): AsyncGenerator<Buffer> {
      try {
        yield* entry.read()
      } catch (error) {
        damage = error as Error
        throw error
      }
    }
    const response = await this.#sender.post('files', read()).catch((error) => error as Error)
    if (damage !== undefined) return { refused: damage.message }
    if (response instanceof Error) {
      // The service ends the connection if it does not want the rest of a file.
      await this.findKnown([])
      return { refused: `${entry.label} could not be sent` }
    }
    if (response.status === UNAVAILABLE) return 'busy'
    if (response.status === UNPROCESSABLE || response.status === TOO_LARGE) {
      return { refused: `${entry.label}: ${await messageOf(response)}` }
    }
    if (!response.ok) throw new UserError(await messageOf(response))
    return response.json() as Promise<StoredFile>
  }
}
