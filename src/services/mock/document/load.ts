import { UserError } from '../../../kernel/errors.ts'
import type { Finding } from '../../../kernel/service.ts'
import { type Bundle, bundle, type Stays } from './bundle.ts'
import { type Externals, type ReadBytes, readExternals } from './external-examples.ts'
import { nameOf } from './file-name.ts'
import type { Json, JsonObject } from './json.ts'
import { parseDocument, parseValue } from './parse.ts'
import { formatPointer } from './pointer.ts'
import { ReferenceRefused } from './reference-folders.ts'
import { isSwagger, upgrade } from './upgrade.ts'

export { nameOf }

/** Reads the text at a URL; throws a `UserError` with the reason if that fails. */
export type ReadText = (url: URL) => Promise<string>

export interface Loaded {
  /** Version 3.1 or later if loaded to be served; references are internal unless kept. */
  document: JsonObject
  /** Version that the author wrote: 2.0, 3.0.3, 3.1.0 … */
  version: string
  /** URLs of all files reached, except refused ones; the first one is the document itself. */
  files: readonly string[]
  /** Files that could not be read; each is reported in `findings`. */
  unreadable: readonly string[]
  /** The same for files that only contain examples; the document is served without them. */
  missingExamples: readonly string[]
  externals: Externals
  findings: readonly Finding[]
}

/** A document before its external examples are read. */
interface Gathered extends Omit<Loaded, 'externals'> {
  /** URLs of external examples by their `externalValue`. */
  externals: ReadonlyMap<string, string>
}

/** Maximum length of a chain of files that refer to further files. */
const MAX_ROUNDS = 50
const MAX_FILES = 2000

/** Changes the parsed document before it is bundled and upgraded. */
export type Amend = (document: JsonObject) => Promise<JsonObject>

export async function loadDocument(
  url: URL,
  readText: ReadText,
  amend: Amend = async (document) => document,
  readBytes: ReadBytes = async (url) => Buffer.from(await readText(url))
): Promise<Loaded> {
  const root = await amend(await parseDocument(await readText(url), nameOf(url.href)))
  const gathered = await gatherDocument(url, root, readText)
  const name = nameOf(url.href)
  const ignored: Finding[] = []
  const document = await upgrade(gathered.document, name, (path, text) =>
    ignored.push({ level: 'warning', where: `${name}#${formatPointer(path)}`, text })
  )
  const external = await readExternals(gathered.externals, readBytes)
  return {
    ...gathered,
    document,
    files: [...gathered.files, ...external.files],
    missingExamples: [...gathered.missingExamples, ...external.missing],
    externals: external.externals,
    findings: [...gathered.findings, ...external.findings, ...ignored]
  }
}

/** Bundles a document and the files it refers to, in the version that its author wrote. */
export async function gatherDocument(
  url: URL,
  root: JsonObject,
  readText: ReadText,
  stays?: Stays
): Promise<Gathered> {
  const files = new Map<string, Json>([[url.href, root]])
  const findings: Finding[] = []
  const failed = new Set<string>()
  const refused = new Set<string>()
  let bundled: Bundle
  for (let round = 0; ; round++) {
    bundled = bundle(url.href, files, stays)
    const missing = new Set([...bundled.missing, ...bundled.missingExamples])
    const wanted = [...missing].filter((href) => !failed.has(href))
    if (wanted.length === 0) break
    if (round === MAX_ROUNDS || files.size + wanted.length > MAX_FILES) {
      throw new UserError(`${nameOf(url.href)} refers to too many files`)
    }
    await Promise.all(wanted.map(readFurther))
  }
  async function readFurther(href: string): Promise<void> {
    try {
      files.set(href, await parseFile(await readText(new URL(href)), href))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      failed.add(href)
      if (error instanceof ReferenceRefused) refused.add(href)
      findings.push(
        bundled.missing.has(href)
          ? { level: 'error', where: nameOf(href), text: error.message }
          : {
              level: 'warning',
              where: nameOf(href),
              text: `${error.message}; the example that refers to it is served as written`
            }
      )
    }
  }
  return {
    document: bundled.document,
    version: String(isSwagger(root) ? root.swagger : root.openapi),
    files: [...files.keys(), ...failed].filter((href) => !refused.has(href)),
    unreadable: [...failed].filter((href) => bundled.missing.has(href)),
    missingExamples: [...failed].filter((href) => !bundled.missing.has(href)),
    externals: bundled.externals,
    findings: [...findings, ...bundled.findings]
  }
}

/** Files that examples refer to may be texts, which are not read as YAML. */
const TEXT_FILE = /\.(?:csv|html?|md|svg|txt|xml)$/i

async function parseFile(text: string, href: string): Promise<Json> {
  return TEXT_FILE.test(new URL(href).pathname) ? text : parseValue(text, nameOf(href))
}
