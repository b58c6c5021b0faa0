import type { ArchiveEntry } from '../../../../kernel/archive-source/entries.ts'
import { Reasons } from '../../../../kernel/exchange/reasons.ts'
import type { StoredUpload } from '../../records/stored-upload.ts'
import type { ImportedAttachment } from '../imported.ts'
import type { FileSource, ParsedAttachment } from '../parse/attachments.ts'
import type { ParsedCard } from '../parse/card.ts'
import type { ConsoleClient } from './console-client.ts'
import type { FileFinder } from './file-finder.ts'

export interface UploadOptions {
  readonly board: string
  readonly trello: { key: string; token: string } | undefined
  readonly maxImportBytes: number
  readonly dryRun: boolean
}

/** Stores the files of uploads before their cards are sent. */
export class FileUploads {
  uploaded = 0
  downloaded = 0
  stored = 0
  readonly missing = new Reasons()
  readonly #client: ConsoleClient
  readonly #finder: FileFinder
  readonly #options: UploadOptions
  #bytes = 0

  constructor(client: ConsoleClient, finder: FileFinder, options: UploadOptions) {
    this.#client = client
    this.#finder = finder
    this.#options = options
  }

  /** The attachments of all cards, in their order. */
  async storeAll(cards: readonly ParsedCard[]): Promise<ImportedAttachment[][]> {
    const uploads = cards.flatMap(({ attachments }) =>
      attachments.flatMap(({ id, source }) => (source === undefined ? [] : [id]))
    )
    const { board } = this.#options
    const known =
      uploads.length === 0 ? {} : await this.#client.findKnown({ board, attachments: uploads })
    const all: ImportedAttachment[][] = []
    for (const { attachments } of cards) {
      const stored: ImportedAttachment[] = []
      for (const one of attachments) stored.push(await this.#store(one, known[one.id]))
      all.push(stored)
    }
    return all
  }

  async #store(
    { source, ...attachment }: ParsedAttachment,
    knownSize: number | undefined
  ): Promise<ImportedAttachment> {
    if (source === undefined) return attachment
    const entry = this.#finder.find(source)
    const isStored = knownSize !== undefined && (entry === undefined || entry.size === knownSize)
    if (isStored) {
      this.stored++
      return attachment
    }
    const upload = await this.#obtain(source, entry)
    return upload === undefined ? attachment : { ...attachment, upload }
  }

  /** Undefined if the file is missing, or in a dry run. */
  async #obtain(
    source: FileSource,
    entry: ArchiveEntry | undefined
  ): Promise<StoredUpload | undefined> {
    const { trello, maxImportBytes, dryRun } = this.#options
    const kind = entry === undefined ? 'downloaded' : 'uploaded'
    if (entry === undefined && (trello === undefined || source.url === undefined)) {
      this.missing.add(
        'not among the files, so the card shows them as missing; --attachments or --trello-key finds them',
        source.fileName
      )
      return undefined
    }
    if (this.#bytes + (entry?.size ?? 0) > maxImportBytes) {
      this.missing.add(`above the limit of ${maxImportBytes} bytes per import`, source.fileName)
      return undefined
    }
    if (dryRun) {
      this[kind]++
      return undefined
    }
    const outcome =
      entry === undefined
        ? await this.#client.download({
            ...{ url: source.url ?? '', fileName: source.fileName },
            ...(trello ?? { key: '', token: '' })
          })
        : await this.#client.upload(entry, source.fileName)
    if ('rejected' in outcome) {
      this.missing.add(`not stored: ${outcome.rejected}`, source.fileName)
      return undefined
    }
    this.#bytes += outcome.size
    this[kind]++
    return outcome
  }
}
