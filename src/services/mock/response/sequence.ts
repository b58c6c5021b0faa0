import { essenceOf, isLineType } from '../../../kernel/media-type.ts'
import { writeJson } from '../document/exact-integers.ts'
import { isObject, type Json } from '../document/json.ts'

/** RFC 7464 starts each value with this character. */
export const RECORD_SEPARATOR = '\u001e'

/** An array as the items of its media type: lines, JSON text sequences, or events. */
export function writeSequence(type: string, items: readonly Json[]): string {
  if (!isLineType(type)) return items.map(writeEvent).join('')
  const start = essenceOf(type) === 'application/json-seq' ? RECORD_SEPARATOR : ''
  return items.map((item) => `${start}${writeJson(item)}\n`).join('')
}

/** An object with fields of an event stream is written as these, any other value as its data. */
function writeEvent(item: Json): string {
  if (!isObject(item) || item.data === undefined) return `${dataLines(item)}\n`
  const fields = ['event', 'id', 'retry'].flatMap((name) =>
    item[name] === undefined ? [] : [`${name}: ${oneLine(item[name])}\n`]
  )
  return `${fields.join('')}${dataLines(item.data)}\n`
}

function dataLines(value: Json | undefined): string {
  const text = typeof value === 'string' ? value : writeJson(value ?? null)
  return text
    .split(/\r\n|[\r\n]/)
    .map((line) => `data: ${line}\n`)
    .join('')
}

function oneLine(value: Json | undefined): string {
  return String(value).replace(/[\r\n\0]/g, ' ')
}
