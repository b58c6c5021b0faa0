import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { CardContext } from '../context.ts'
import { storeUpload } from '../files/store-upload.ts'
import type { ImportedAttachment, ImportedCard } from '../import-export/imported.ts'
import type { ParsedAttachment } from '../import-export/parse/attachments.ts'
import { parseExport } from '../import-export/parse/parse-export.ts'
import { importBoard } from '../store/import/import-board.ts'
import { importCards } from '../store/import/import-cards.ts'
import { importParts } from '../store/import/import-parts.ts'
import { isFirstStart, markFirstStart } from '../store/sample.ts'

const FOLDER = new URL('../../../../data/cards/', import.meta.url)

/** Stores the board of `data/cards`, which shows what the service does, if nothing was ever stored. */
export async function storeSample(context: CardContext): Promise<void> {
  const { store, options, nextId } = context
  const value: unknown = JSON.parse(await readFile(new URL('board.json', FOLDER), 'utf8'))
  const parsed = parseExport(value, { keepsShortLinks: true, withComments: false, nextId })
  if (typeof parsed === 'string') throw new Error(parsed)
  const cards: ImportedCard[] = []
  for (const card of parsed.cards()) {
    const attachments: ImportedAttachment[] = []
    for (const one of card.attachments) attachments.push(await withFile(context, one))
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

async function withFile(
  context: CardContext,
  { source, ...attachment }: ParsedAttachment
): Promise<ImportedAttachment> {
  if (source === undefined) return attachment
  const path = fileURLToPath(new URL(`attachments/${source.id}/${source.fileName}`, FOLDER))
  const { size } = await stat(path)
  return {
    ...attachment,
    upload: await storeUpload(context, { path, name: source.fileName, size })
  }
}
