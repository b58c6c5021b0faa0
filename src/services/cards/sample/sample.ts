import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { CardContext } from '../context.ts'
import type { ImportedAttachment, ImportedCard } from '../import-export/imported.ts'
import type { ParsedAttachment } from '../import-export/parse/attachments.ts'
import { parseExport } from '../import-export/parse/parse-export.ts'
import type { StoredImage } from '../records/stored-upload.ts'
import { importBoard } from '../store/import/import-board.ts'
import { importCards } from '../store/import/import-cards.ts'
import { importParts } from '../store/import/import-parts.ts'
import { isFirstStart, markFirstStart } from '../store/sample.ts'

const FOLDER = new URL('../../../../data/cards/', import.meta.url)

/** By id of the attachment. */
type Facts = Readonly<Record<string, Omit<StoredImage, 'hash' | 'size'>>>

/** Stores the board of `data/cards`, which shows what the service does, if nothing was ever stored. */
export async function storeSample(context: CardContext): Promise<void> {
  const { store, options, nextId } = context
  const value = await readJson<unknown>('board.json')
  const facts = await readJson<Facts>('images.json')
  const parsed = parseExport(value, { keepsShortLinks: true, withComments: false, nextId })
  if (typeof parsed === 'string') throw new Error(parsed)
  const cards: ImportedCard[] = []
  for (const card of parsed.cards()) {
    const attachments: ImportedAttachment[] = []
    for (const one of card.attachments) attachments.push(await withFile(context, one, facts))
    cards.push({ ...card, attachments })
  }
  const { lists, labels, fields, board: given } = parsed
  const { completedField = null, urlField = null } = given
  const memberId = nextId()
  await store.change(function* change(time) {
    if (!(yield* isFirstStart())) return
    yield* markFirstStart(time)
    // It belongs to the first member, not to one of its own.
    const { owner, ...board } = given
    const added = yield* importBoard({ board, isSample: true, dryRun: false, memberId }, time)
    if (added === 'used' || 'unknownMember' in added) return
    const shared = { board: added.id, dryRun: false }
    const mapping = { completedField, urlField }
    yield* importParts({ ...shared, lists, labels, fields, mapping, isChanged: true }, time)
    const { maxCards, maxAttachments } = options
    yield* importCards({ ...shared, cards, maxCards, maxAttachments }, time)
  })
}

async function readJson<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(new URL(name, FOLDER), 'utf8'))
}

/**
 * The pictures have no metadata, so each is its own public image. Making one of each as for an
 * upload took half a second of the first request.
 */
async function withFile(
  { kernel }: CardContext,
  { source, ...attachment }: ParsedAttachment,
  facts: Facts
): Promise<ImportedAttachment> {
  const image = source && facts[source.id]
  if (source === undefined || image === undefined) return attachment
  const { id, fileName } = source
  const url = new URL(`attachments/${id}/${fileName}`, FOLDER)
  const stored = await kernel.files.put(createReadStream(url))
  return { ...attachment, upload: { ...stored, fileName, image: { ...stored, ...image } } }
}
