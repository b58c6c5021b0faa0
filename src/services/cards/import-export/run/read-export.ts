import type { ArchiveEntry, ArchivePart } from '../../../../kernel/archive-source/entries.ts'
import { openFilePart } from '../../../../kernel/archive-source/folder-part.ts'
import { openFolderOrZip } from '../../../../kernel/archive-source/open-part.ts'
import { UserError } from '../../../../kernel/errors.ts'
import { MAX_EXPORT_BYTES, MAX_EXPORT_DEPTH } from '../limits.ts'
import { isDeeperThan } from '../parse/json-depth.ts'

/** An export and the files beside it. */
export interface ExportSource extends AsyncDisposable {
  /** The file with the board. */
  readonly board: ArchiveEntry
  /** All files of the folder or zip; empty if a single file was named. */
  readonly files: readonly ArchiveEntry[]
}

export async function openExport(path: string): Promise<ExportSource> {
  const archive = await openFolderOrZip(path)
  const part = archive ?? (await openFilePart(path))
  try {
    return {
      board: archive === undefined ? onlyFile(part) : findBoard(part),
      files: archive === undefined ? [] : part.entries,
      [Symbol.asyncDispose]: () => part.close()
    }
  } catch (error) {
    await part.close()
    throw error
  }
}

function onlyFile({ entries, path }: ArchivePart): ArchiveEntry {
  const [entry] = entries
  if (entry === undefined) throw new UserError(`${path} is not a file`)
  return entry
}

/** `board.json`, or the only JSON file, at the root or in one folder below it. */
function findBoard({ entries, path }: ArchivePart): ArchiveEntry {
  const json = entries.filter(
    ({ name }) => /^(?:[^/]+\/)?[^/]+\.json$/i.test(name) && !name.startsWith('__MACOSX/')
  )
  const boards = json.filter(({ name }) => /(?:^|\/)board\.json$/i.test(name))
  const [first, second] = boards.length > 0 ? boards : json
  if (first === undefined) throw new UserError(`${path} has no board.json`)
  if (second === undefined) return first
  throw new UserError(
    `${path} has several JSON files; name the one of the board, and --attachments ${path} for its files`
  )
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The parsed file; an error in one sentence if it is no JSON, too large or too deep. */
export async function readExport(entry: ArchiveEntry): Promise<unknown> {
  const fail = (problem: string, cause?: unknown) =>
    new UserError(`${entry.label} cannot be imported: ${problem}`, { cause })
  const tooLarge = () => fail(`it is larger than ${MAX_EXPORT_BYTES} bytes`)
  if (entry.size > MAX_EXPORT_BYTES) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of entry.read()) {
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_EXPORT_BYTES) throw tooLarge()
  }
  const bytes = Buffer.concat(chunks)
  if (isDeeperThan(bytes, MAX_EXPORT_DEPTH)) {
    throw fail(`its arrays and objects are nested deeper than ${MAX_EXPORT_DEPTH} levels`)
  }
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    throw fail('it is not JSON in UTF-8', cause)
  }
}
