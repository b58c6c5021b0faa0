import type { Reasons } from '../../../../kernel/exchange/reasons.ts'
import type { ImportedCard } from '../imported.ts'
import type { ParsedCard } from '../parse/card.ts'
import { MAX_BATCH_BYTES, MAX_BATCH_CARDS } from '../protocol.ts'
import type { ConsoleClient } from './console-client.ts'
import type { FileUploads } from './file-uploads.ts'
import { type Counts, noCounts } from './report.ts'

/** Left for what is known of files only when they are stored, and the request around it. */
const MOST_BYTES = MAX_BATCH_BYTES / 2
/** About the JSON of one stored file. */
const FILE_BYTES = 512

export interface BatchTarget {
  readonly board: string
  readonly dryRun: boolean
  /** The board is not stored, so all its cards would be added; only in a dry run. */
  readonly isNew: boolean
}

/** Sends cards in requests that take a moment each, whatever the size of the export. */
export class CardBatches {
  readonly counts: Counts = noCounts()
  /** Ids of the cards that are stored. */
  readonly stored = new Set<string>()
  readonly #target: BatchTarget
  readonly #client: ConsoleClient
  readonly #files: FileUploads
  readonly #skipped: Reasons
  readonly #adjusted: Reasons
  #waiting: ParsedCard[] = []
  #bytes = 0

  constructor(
    target: BatchTarget,
    client: ConsoleClient,
    files: FileUploads,
    { skipped, adjusted }: { skipped: Reasons; adjusted: Reasons }
  ) {
    this.#target = target
    this.#client = client
    this.#files = files
    this.#skipped = skipped
    this.#adjusted = adjusted
  }

  async add(card: ParsedCard): Promise<void> {
    const bytes = Buffer.byteLength(JSON.stringify(card)) + card.attachments.length * FILE_BYTES
    if (bytes > MOST_BYTES) {
      this.#skipped.add(`cards larger than ${MOST_BYTES} bytes`, card.id)
      return
    }
    if (this.#waiting.length >= MAX_BATCH_CARDS || this.#bytes + bytes > MOST_BYTES) {
      await this.flush()
    }
    this.#waiting.push(card)
    this.#bytes += bytes
  }

  async flush(): Promise<void> {
    const cards = this.#waiting
    if (cards.length === 0) return
    this.#waiting = []
    this.#bytes = 0
    const { board, dryRun, isNew } = this.#target
    const attachments = await this.#files.storeAll(cards)
    if (isNew) {
      this.counts.added += cards.length
      for (const { id } of cards) this.stored.add(id)
      return
    }
    const requests = cards.map((card, index) =>
      JSON.stringify({ ...card, attachments: attachments[index] ?? [] } satisfies ImportedCard)
    )
    const { results, skipped, newLinks } = await this.#client.sendCards(board, requests, dryRun)
    for (const [index, result] of results.entries()) {
      const id = cards[index]?.id ?? ''
      if (typeof result === 'string') {
        this.counts[result]++
        this.stored.add(id)
      } else this.#skipped.add(`cards ${result.skipped}`, id)
    }
    for (const { reason, id } of skipped) this.#skipped.add(reason, id)
    for (const id of newLinks) {
      this.#adjusted.add('cards whose short link is in use, with a new one', id)
    }
  }
}
