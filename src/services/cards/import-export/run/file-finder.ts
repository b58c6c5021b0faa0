import type { ArchiveEntry } from '../../../../kernel/archive-source/entries.ts'
import { nameProblem } from '../../../../kernel/zip/entry-name.ts'
import { safeFileName } from '../../files/file-name.ts'
import type { FileSource } from '../parse/attachments.ts'

const ID = /[0-9a-f]{24}/gi

/** Finds files of attachments by the id in their path, then by a name that only one has. */
export class FileFinder {
  readonly #byId = new Map<string, ArchiveEntry>()
  readonly #byName = new Map<string, ArchiveEntry | undefined>()
  readonly #sharedNames: ReadonlySet<string>

  /** `names` are the file names of all uploads of the export. */
  constructor(entries: readonly ArchiveEntry[], names: Iterable<string>) {
    for (const entry of entries) {
      if (nameProblem(entry.name) !== undefined) continue
      const [id] = entry.name.match(ID)?.slice(-1) ?? []
      if (id !== undefined) this.#byId.set(id.toLowerCase(), entry)
      const name = safeFileName(entry.name.slice(entry.name.lastIndexOf('/') + 1))
      this.#byName.set(name, this.#byName.has(name) ? undefined : entry)
    }
    this.#sharedNames = repeated(names)
  }

  find({ id, fileName }: FileSource): ArchiveEntry | undefined {
    const own = this.#byId.get(id)
    if (own !== undefined || this.#sharedNames.has(fileName)) return own
    return this.#byName.get(fileName)
  }
}

function repeated(names: Iterable<string>): Set<string> {
  const once = new Set<string>()
  const twice = new Set<string>()
  for (const name of names) {
    if (once.has(name)) twice.add(name)
    once.add(name)
  }
  return twice
}
