import { randomBytes } from 'node:crypto'
import type { ArchiveEntry } from '../../../../kernel/archive-source/entries.ts'
import { openFolderOrZip } from '../../../../kernel/archive-source/open-part.ts'
import { UserError } from '../../../../kernel/errors.ts'
import type { Reasons } from '../../../../kernel/exchange/reasons.ts'
import { createObjectIdGenerator } from '../../../../kernel/object-id.ts'
import type { ImportResult } from '../../store/import/results.ts'
import type { ImportedAction } from '../imported.ts'
import { newIdsWith } from '../parse/context.ts'
import { type ParsedExport, parseExport } from '../parse/parse-export.ts'
import { uploadNames } from '../parse/upload-names.ts'
import { type BoardResponse, MAX_BATCH_ACTIONS, MAX_BATCH_BYTES } from '../protocol.ts'
import { CardBatches } from './card-batches.ts'
import type { ConsoleClient } from './console-client.ts'
import { FileFinder } from './file-finder.ts'
import { FileUploads } from './file-uploads.ts'
import type { ImportOptions } from './options.ts'
import { openExport, readExport } from './read-export.ts'
import { type Counts, type ImportReport, noCounts } from './report.ts'

/** Imports one export; what is wrong with single objects is part of the report. */
export async function runImport(
  path: string,
  options: ImportOptions,
  client: ConsoleClient,
  show: (done: number, total: number) => void
): Promise<ImportReport> {
  await using source = await openExport(path)
  await using attachments = await openAttachments(options.attachments)
  const value = await readExport(source.board)
  const parsed = parse(value, source.board, options)
  const { dryRun, member, trello } = options
  const board = await client.sendBoard({
    board: parsed.board,
    dryRun,
    ...(member !== undefined && { member })
  })
  const isNew = dryRun && board.result === 'added'
  const parts = await sendParts(parsed, board, { dryRun, isNew }, client)
  const finder = new FileFinder([...source.files, ...attachments.entries], uploadNames(value))
  const { maxImportBytes } = board
  const files = new FileUploads(client, finder, { board: board.id, trello, maxImportBytes, dryRun })
  const batches = new CardBatches({ board: board.id, dryRun, isNew }, client, files, parsed)
  let done = 0
  for (const card of parsed.cards()) {
    await batches.add(card)
    done++
    show(
      Math.ceil((source.board.size * done) / Math.max(done, parsed.cardCount)),
      source.board.size
    )
  }
  await batches.flush()
  const actions = await sendActions(
    parsed.actions(batches.stored),
    { board: board.id, dryRun, isNew },
    client,
    parsed.skipped
  )
  const { uploaded, downloaded, stored, missing } = files
  return {
    board: {
      id: board.id,
      name: parsed.board.name,
      slug: board.slug,
      result: String(board.result)
    },
    ...{ dryRun, ...parts, cards: batches.counts, actions },
    files: { uploaded, downloaded, stored, missing: missing.list },
    skipped: parsed.skipped.list,
    adjusted: parsed.adjusted.list,
    notes: board.notes
  }
}

async function openAttachments(
  path: string | undefined
): Promise<{ entries: readonly ArchiveEntry[] } & AsyncDisposable> {
  if (path === undefined) return { entries: [], [Symbol.asyncDispose]: async () => undefined }
  const part = await openFolderOrZip(path)
  if (part === undefined) throw new UserError(`--attachments ${path} is neither a folder nor a zip`)
  return { entries: part.entries, [Symbol.asyncDispose]: () => part.close() }
}

function parse(
  value: unknown,
  { label }: ArchiveEntry,
  { newIds, comments }: ImportOptions
): ParsedExport {
  const parsed = parseExport(value, {
    ...(newIds && { idFor: newIdsWith(randomBytes(32)) }),
    keepsShortLinks: !newIds,
    withComments: comments,
    nextId: createObjectIdGenerator(() => new Date())
  })
  if (typeof parsed === 'string') throw new UserError(`${label} cannot be imported: ${parsed}`)
  return parsed
}

interface Target {
  board: string
  dryRun: boolean
  /** See `BatchTarget`. */
  isNew: boolean
}

async function sendParts(
  { lists, labels, fields, isOwn, board: given, skipped }: ParsedExport,
  board: BoardResponse,
  { dryRun, isNew }: Omit<Target, 'board'>,
  client: ConsoleClient
): Promise<Pick<ImportReport, 'lists' | 'labels' | 'fields'>> {
  if (isNew) {
    const all = (count: number) => ({ ...noCounts(), added: count })
    return { lists: all(lists.length), labels: all(labels.length), fields: all(fields.length) }
  }
  const { completedField = null, urlField = null } = given
  const results = await client.sendParts({
    ...{ board: board.id, lists, labels, fields, dryRun },
    isChanged: board.result !== 'unchanged',
    ...(isOwn && { mapping: { completedField, urlField } })
  })
  return {
    lists: count(results.lists, 'lists', lists, skipped),
    labels: count(results.labels, 'labels', labels, skipped),
    fields: count(results.fields, 'custom fields', fields, skipped)
  }
}

async function sendActions(
  actions: readonly ImportedAction[],
  { board, dryRun, isNew }: Target,
  client: ConsoleClient,
  skipped: Reasons
): Promise<Counts> {
  const counts = noCounts()
  if (isNew) return { ...counts, added: actions.length }
  for (const batch of batchesOf(actions)) {
    const { results } = await client.sendActions({ board, actions: batch, dryRun })
    const some = count(results, 'actions', batch, skipped)
    for (const key of ['added', 'updated', 'unchanged'] as const) counts[key] += some[key]
  }
  return counts
}

function* batchesOf(actions: readonly ImportedAction[]): Generator<ImportedAction[]> {
  let batch: ImportedAction[] = []
  let bytes = 0
  for (const action of actions) {
    // Escaped in JSON, a string of JSON is at most twice as long.
    const size = 2 * Buffer.byteLength(action.data) + 512
    if (batch.length >= MAX_BATCH_ACTIONS || bytes + size > MAX_BATCH_BYTES / 2) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(action)
    bytes += size
  }
  if (batch.length > 0) yield batch
}

function count(
  results: readonly ImportResult[],
  what: string,
  objects: readonly { id: string }[],
  skipped: Reasons
): Counts {
  const counts = noCounts()
  for (const [index, result] of results.entries()) {
    if (typeof result === 'string') counts[result]++
    else skipped.add(`${what} ${result.skipped}`, objects[index]?.id ?? '')
  }
  return counts
}
