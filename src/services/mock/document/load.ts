import { UserError } from '../../../kernel/errors.ts'
import { decodeSegment } from '../../../kernel/request-target.ts'
import type { Finding } from '../../../kernel/service.ts'
import { type Bundle, bundle, type Stays } from './bundle.ts'
import type { JsonObject } from './json.ts'
import { parseDocument } from './parse.ts'
import { ReferenceRefused } from './reference-folders.ts'
import { isSwagger, upgrade } from './upgrade.ts'

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
  findings: readonly Finding[]
}

/** Maximum length of a chain of files that refer to further files. */
const MAX_ROUNDS = 50
const MAX_FILES = 2000

/** Changes the parsed document before it is bundled and upgraded. */
export type Amend = (document: JsonObject) => Promise<JsonObject>

export async function loadDocument(
  url: URL,
  readText: ReadText,
  amend: Amend = async (document) => document
): Promise<Loaded> {
  const root = await amend(await parseDocument(await readText(url), nameOf(url.href)))
  const gathered = await gatherDocument(url, root, readText)
  return { ...gathered, document: await upgrade(gathered.document, nameOf(url.href)) }
}

/** Bundles a document and the files it refers to, in the version that its author wrote. */
export async function gatherDocument(
  url: URL,
  root: JsonObject,
  readText: ReadText,
  stays?: Stays
): Promise<Loaded> {
  const files = new Map<string, JsonObject>([[url.href, root]])
  const findings: Finding[] = []
  const failed = new Set<string>()
  const refused = new Set<string>()
  let bundled: Bundle
  for (let round = 0; ; round++) {
    bundled = bundle(url.href, files, stays)
    const wanted = [...bundled.missing].filter((href) => !failed.has(href))
    if (wanted.length === 0) break
    if (round === MAX_ROUNDS || files.size + wanted.length > MAX_FILES) {
      throw new UserError(`${nameOf(url.href)} refers to too many files`)
    }
    await Promise.all(wanted.map(readFurther))
  }
  async function readFurther(href: string): Promise<void> {
    try {
      files.set(href, await parseDocument(await readText(new URL(href)), nameOf(href)))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      failed.add(href)
      if (error instanceof ReferenceRefused) refused.add(href)
      findings.push({ level: 'error', where: nameOf(href), text: error.message })
    }
  }
  return {
    document: bundled.document,
    version: String(isSwagger(root) ? root.swagger : root.openapi),
    files: [...files.keys(), ...failed].filter((href) => !refused.has(href)),
    unreadable: [...failed],
    findings: [...findings, ...bundled.findings]
  }
}

/** Shows a file URL as a path, other URLs unchanged. */
export function nameOf(href: string): string {
  if (!href.startsWith('file:///')) return href
  const { pathname } = new URL(href)
  return decodeSegment(pathname) ?? pathname
}
