import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Finding } from '../../kernel/service.ts'
import { amendmentsOf } from './document/amend/amendment.ts'
import { downgrade } from './document/downgrade/downgrade.ts'
import { withoutLater } from './document/downgrade/later.ts'
import type { Tell } from './document/downgrade/report-loss.ts'
import { isObject, type Json, type JsonObject } from './document/json.ts'
import { gatherDocument, nameOf, type ReadText } from './document/load.ts'
import { parseDocument } from './document/parse.ts'
import { formatPointer } from './document/pointer.ts'
import { readAmendments, withTrust } from './document/read-amendments.ts'
import { createReadText, toUrl } from './document/read-text.ts'
import { relocate } from './document/relocate.ts'
import { isOlder, isSwagger, upgrade, versionOf } from './document/upgrade.ts'
import { type DocumentFormat, formOf, writeDocument } from './document/write.ts'

export interface ConvertOptions {
  /** Path or URL. */
  document: string
  to: '3.0' | '3.1'
  overlay: readonly string[]
  patch: readonly string[]
  /** Whether referenced files are inlined. */
  bundle: boolean
  allowRemoteRefs: boolean
  allowRefsOutside: boolean
  /**
   * Path of the output file; relative references are adapted to it. Undefined: they stay unchanged.
   */
  file: string | undefined
}

export interface Converted {
  text: string
  /** Problems of the document, and parts that the target version cannot express. */
  findings: readonly Finding[]
}

/** The document with overlays and patches applied, converted to OpenAPI 3.1 or 3.0. */
export async function convertDocument(options: ConvertOptions): Promise<Converted> {
  const url = toUrl(options.document)
  const source = { text: options.document, url, name: undefined }
  const named = amendmentsOf(options.overlay, options.patch)
  return withTrust(url, async (fetch) => {
    const readText = createReadText(url, {
      allowsRemote: options.allowRemoteRefs,
      allowsOutside: options.allowRefsOutside,
      amendments: named.map((amendment) => amendment.url),
      fetch
    })
    const text = await readText(url)
    const amendments = await readAmendments(named, [source])
    const parsed = await parseDocument(text, nameOf(url.href))
    const root = amendments === undefined ? parsed : await amendments.amend(source, parsed)
    const findings: Finding[] = amendments?.findings() ?? []
    const document = await convert(root, url, readText, options, findings)
    return {
      text: await writeDocument(withSchemaUrl(document, url, options), formFor(options, text)),
      findings
    }
  })
}

async function convert(
  root: JsonObject,
  url: URL,
  readText: ReadText,
  { to, bundle }: ConvertOptions,
  findings: Finding[]
): Promise<JsonObject> {
  const where = nameOf(url.href)
  const isSame = !isSwagger(root) && isOlder(versionOf(root, where)) === (to === '3.0')
  // References to schemas may stay; other components of version 2 are invalid in later versions.
  const stays = isSwagger(root) ? (kind: string) => kind === 'schema' : () => true
  const needsGathering = bundle || isSwagger(root) || (to === '3.0' && !isSame)
  const gathered = needsGathering
    ? await gatherDocument(url, root, readText, bundle ? undefined : stays)
    : undefined
  if (gathered !== undefined) findings.push(...gathered.findings)
  const document = gathered?.document ?? root
  if (!bundle && !isSame && refersOutside(document)) {
    findings.push({
      level: 'warning',
      where,
      text: 'Referenced files are not converted; use --bundle to inline them'
    })
  }
  const tell: Tell = (path, text) => {
    findings.push({ level: 'warning', where: `${where}#${formatPointer(path)}`, text })
  }
  if (to === '3.0' && isSame) return document
  const upgraded = await upgrade(document, where)
  const current = isLater(upgraded) ? withoutLater(upgraded, tell) : upgraded
  return to === '3.1' ? current : downgrade(current, tell)
}

function isLater({ openapi }: JsonObject): boolean {
  return /^3\.([2-9]|\d\d)/.test(String(openapi))
}

function refersOutside(value: Json): boolean {
  if (Array.isArray(value)) return value.some(refersOutside)
  if (!isObject(value)) return false
  const { $ref } = value
  if (typeof $ref === 'string' && !$ref.startsWith('#')) return true
  return Object.values(value).some(refersOutside)
}

function withSchemaUrl(document: JsonObject, url: URL, { file }: ConvertOptions): Json {
  if (file === undefined) return document
  return relocate(document, url.href, pathToFileURL(resolve(file)).href)
}

function formFor({ file = '' }: ConvertOptions, text: string): DocumentFormat {
  if (/\.json$/i.test(file)) return 'json'
  return /\.ya?ml$/i.test(file) ? 'yaml' : formOf(text)
}
