import { decodeSegment } from '../../../kernel/request-target.ts'
import { Problem } from '../contract.ts'
import { parseTemplate, type Template } from './template.ts'

/** One part of a documented path between two slashes. */
export type Segment =
  | { kind: 'literal'; text: string }
  /** The whole segment is one parameter. */
  | { kind: 'whole'; name: string }
  | { kind: 'mixed'; template: Template }

export function parseSegments(path: string): Segment[] {
  const text = path.startsWith('/') ? path.slice(1) : path
  return splitOutsideBraces(text).map(parseSegment)
}

/** The name of a parameter may contain a slash. */
function splitOutsideBraces(path: string): string[] {
  const parts: string[] = []
  let start = 0
  let depth = 0
  for (let index = 0; index < path.length; index++) {
    const sign = path[index]
    if (sign === '{') depth++
    else if (sign === '}') depth = Math.max(0, depth - 1)
    else if (sign === '/' && (depth === 0 || !path.includes('}', index))) {
      parts.push(path.slice(start, index))
      start = index + 1
      depth = 0
    }
  }
  return [...parts, path.slice(start)]
}

function parseSegment(text: string): Segment {
  const { texts, names } = parseTemplate(text)
  if (names.length === 0) return { kind: 'literal', text: decodeLoosely(text) }
  const [name] = names
  if (name !== undefined && names.length === 1 && text === `{${name}}`) {
    return { kind: 'whole', name }
  }
  return { kind: 'mixed', template: { texts: texts.map(decodeLoosely), names } }
}

/** A percent sign that starts no valid escape is taken literally. */
function decodeLoosely(text: string): string {
  return decodeSegment(text) ?? text
}

/** Equal for all templates that match the same paths, whatever their parameter names. */
export function shapeOf(segments: readonly Segment[]): string {
  return segments
    .map((segment) => {
      if (segment.kind === 'literal') return escapeSegment(segment.text)
      if (segment.kind === 'whole') return '{}'
      return segment.template.texts.map(escapeSegment).join('{}')
    })
    .join('/')
}

/** Escapes a decoded segment, so that it cannot be read as two segments or as a parameter. */
export function escapeSegment(text: string): string {
  return /[%/{}]/.test(text) ? text.replace(/[%/{}]/g, encodeURIComponent) : text
}

/** Segments of a request path, as sent and decoded. */
export interface Sent {
  raw: readonly string[]
  decoded: readonly string[]
}

export function splitPath(path: string): Sent {
  const raw = path.slice(1).split('/')
  return { raw, decoded: path.includes('%') ? raw.map(decodeSent) : raw }
}

function decodeSent(text: string): string {
  const decoded = decodeSegment(text)
  if (decoded !== undefined) return decoded
  throw new Problem('MALFORMED_REQUEST', `The path has a bad percent-encoding in "${text}".`)
}
