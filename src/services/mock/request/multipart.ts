import {
  isJson,
  type MediaRange,
  matchContent,
  parseMediaType
} from '../../../kernel/media-type.ts'
import type { Diagnostic } from '../message.ts'
import type { Encoding, MediaType } from '../model/api.ts'
import { fault } from './diagnose.ts'
import { readJsonText } from './field-styles.ts'
import type { Part } from './multipart-parts.ts'
import type { SchemaSummary } from './schema-summary.ts'
import {
  createMembers,
  kindOf,
  Malformed,
  type Members,
  readList,
  readScalar,
  splitList
} from './text-value.ts'

export type ReadMultipart = (
  bytes: Uint8Array,
  sent: MediaRange,
  diagnostics: Diagnostic[]
) => Promise<Members | Malformed>

/** Reads `multipart/form-data`: files as bytes, other parts by the schema of the property. */
export function createMultipartReader(content: MediaType, shape: SchemaSummary): ReadMultipart {
  return async function readMultipart(bytes, sent, diagnostics) {
    const { readParts } = await import('./multipart-parts.ts')
    const parts = await readParts(bytes, sent.parameters.get('boundary') ?? '')
    if (parts instanceof Malformed) return parts
    const members = createMembers()
    for (const [name, group] of groupParts(parts)) {
      const encoding = content.encoding.get(name)
      const complaint = checkTypes(group, encoding)
      const value = readGroup(group, shape.property(name), encoding)
      if (complaint !== undefined) {
        diagnostics.push(fault('Request', 'body', [name], 'contentMediaType', complaint))
      }
      if (value instanceof Malformed) {
        diagnostics.push(fault('Request', 'body', [name], 'encoding', value.reason))
      } else members[name] = value
    }
    return members
  }
}

function groupParts(parts: readonly Part[]): Map<string, Part[]> {
  const groups = new Map<string, Part[]>()
  for (const part of parts) {
    const group = groups.get(part.name)
    if (group === undefined) groups.set(part.name, [part])
    else group.push(part)
  }
  return groups
}

/** A part without a type is `text/plain`, which is accepted for fields whatever the encoding. */
function checkTypes(parts: readonly Part[], encoding: Encoding | undefined): string | undefined {
  if (encoding?.contentType === undefined) return undefined
  const wanted = encoding.contentType.split(',').map((type) => ({ type: type.trim() }))
  const isWrong = parts.some(({ type, isFile }) => {
    const sent = parseMediaType(type)
    if (sent === undefined || (!isFile && type === 'text/plain')) return false
    return matchContent(wanted, sent) === undefined
  })
  return isWrong ? `must be sent as ${encoding.contentType}` : undefined
}

function readGroup(
  parts: readonly Part[],
  shape: SchemaSummary | undefined,
  encoding: Encoding | undefined
): unknown {
  const [first] = parts
  const isList = shape !== undefined && kindOf(shape) === 'array'
  if (first !== undefined && isList && parts.length === 1) {
    const delimiter = encoding?.delimiter ?? (encoding?.explode === false ? ',' : undefined)
    if (delimiter !== undefined && !first.isFile) {
      return readList(
        splitList(first.text, delimiter, (text) => text),
        shape
      )
    }
    if (isJsonPart(first)) return readJsonText(first.text)
  }
  const values = parts.map((part) => readPart(part, isList ? shape.items : shape))
  const bad = values.find((value) => value instanceof Malformed)
  if (bad !== undefined) return bad
  return isList || values.length > 1 ? values : values[0]
}

function isJsonPart({ type }: Part): boolean {
  const media = parseMediaType(type)
  return media !== undefined && isJson(media)
}

function readPart(part: Part, shape: SchemaSummary | undefined): unknown {
  if (isJsonPart(part)) return readJsonText(part.text)
  if (part.isFile || shape === undefined) return part.text
  return kindOf(shape) === 'object' ? readJsonText(part.text) : readScalar(part.text, shape)
}
