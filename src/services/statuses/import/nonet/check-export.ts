import type { ArchiveEntry } from '../../../../kernel/archive-source/entries.ts'
import { UserError } from '../../../../kernel/errors.ts'
import { readTextLines, type TextLine } from '../../../../kernel/exchange/text-lines.ts'
import {
  EXPORT_FILE,
  type ExportedAccount,
  type ExportedLine,
  filesOfLine
} from '../../records/exported.ts'
import type { Archive } from '../archive/open-archive.ts'
import { checkFirstLine, createLineParser } from './parse-line.ts'
import { PostIds } from './post-ids.ts'

export interface LineOfExport {
  line: ExportedLine
  /** Position after the line. */
  end: number
}

/** An exported file whose lines can be read; the first line is not among them. */
export interface ExportFile {
  entry: ArchiveEntry
  lines: () => AsyncGenerator<LineOfExport, void, void>
}

export function openExportFile(archive: Archive): ExportFile {
  const [entry, second] = archive.find(EXPORT_FILE)
  if (entry === undefined) throw new UserError(`The folder has no ${EXPORT_FILE}`)
  if (second !== undefined) {
    throw new UserError('Several exports cannot be imported at once; import one after the other')
  }
  const parse = createLineParser()

  async function* lines(file: ArchiveEntry): AsyncGenerator<LineOfExport, void, void> {
    for await (const line of readTextLines(file.read(), (number, problem) =>
      lineError(file, number, problem)
    )) {
      if (line.number === 1) attempt(file, line, () => checkFirstLine(line.text))
      else yield { line: attempt(file, line, () => parse(line.text)), end: line.end }
    }
  }

  return { entry, lines: () => lines(entry) }
}

function attempt<T>(entry: ArchiveEntry, { number }: TextLine, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw lineError(entry, number, (error as Error).message, error)
  }
}

/** Reads all lines before one is imported, and throws if the export is damaged. */
export async function checkExport(file: ExportFile, archive: Archive): Promise<ExportedAccount[]> {
  const { entry } = file
  const accounts: ExportedAccount[] = []
  const ids = new PostIds()
  let number = 1
  let end: { accounts: number; posts: number } | undefined
  for await (const { line } of file.lines()) {
    number++
    if (end !== undefined) throw lineError(entry, number, 'it follows the end')
    const missing = filesOfLine(line).find((name) => archive.find(name).length === 0)
    if (missing !== undefined) throw lineError(entry, number, `${missing} is missing`)
    if ('end' in line) end = line.end
    else if ('account' in line) accounts.push(line.account)
    else if (accounts.length === 0) throw lineError(entry, number, 'no account precedes the post')
    else ids.add(line.post.id)
  }
  if (end?.accounts !== accounts.length || end.posts !== ids.count) {
    throw lineError(entry, number + 1, 'the file is not complete')
  }
  const repeated = ids.findRepeated()
  if (repeated !== undefined) {
    throw new UserError(`${entry.label} has the post ${repeated} twice; nothing was imported`)
  }
  checkUnique(entry, accounts)
  return accounts
}

function checkUnique(entry: ArchiveEntry, accounts: readonly ExportedAccount[]): void {
  const found = new Set<string>()
  for (const { id, userName } of accounts) {
    for (const key of [`id ${id}`, `name ${userName.toLowerCase()}`]) {
      if (found.has(key)) {
        throw new UserError(
          `${entry.label} has the account ${userName} twice; nothing was imported`
        )
      }
      found.add(key)
    }
  }
}

function lineError(
  { label }: ArchiveEntry,
  number: number,
  problem: string,
  cause?: unknown
): UserError {
  return new UserError(`Cannot read line ${number} of ${label}: ${problem}; nothing was imported`, {
    cause
  })
}
