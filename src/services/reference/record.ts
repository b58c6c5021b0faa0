import {
  ExpandTooLarge,
  type Field,
  MAX_EMBEDDED_RECORDS,
  RESOURCES,
  type TypeName
} from './contract.ts'
import { type Entry, idsOf, type Universe } from './dataset/universe.ts'
import { withoutUnit } from './dataset/words.ts'
import type { Expansion, View } from './query/view.ts'

export type WireRecord = Record<string, unknown>

/** Converts a record to its JSON value, with links below one base URL. */
export type Write = (type: TypeName, entry: Entry) => WireRecord

export function recordUrl(base: string, type: TypeName, id: number): string {
  return `${base}/api/${type}/${id}/`
}

export function createWriter({ types }: Universe, base: string, view: View): Write {
  let embedded = 0

  function write(
    type: TypeName,
    entry: Entry,
    expand: Expansion,
    isShown: (name: string) => boolean
  ): WireRecord {
    const record: WireRecord = {}
    for (const field of RESOURCES[type].fields) {
      if (isShown(field.name)) record[field.name] = writeValue(field, type, entry, expand)
    }
    if (view.image && isShown('image')) record.image = `${recordUrl(base, type, entry.id)}image.svg`
    return record
  }

  function writeValue(field: Field, type: TypeName, entry: Entry, expand: Expansion): unknown {
    const value = entry.values[field.name]
    if (field.kind === 'url') return recordUrl(base, type, entry.id)
    if ('to' in field) {
      const linked = idsOf(value).map((id) => follow(field.to, id, expand.get(field.name)))
      return field.kind === 'links' ? linked : (linked[0] ?? null)
    }
    const bare = field.kind === 'text' && field.unit !== undefined && !view.units
    return bare ? withoutUnit(String(value), field.unit) : value
  }

  function follow(to: TypeName, id: number, expand: Expansion | undefined): unknown {
    const target = types[to].get(id)
    if (expand === undefined || target === undefined) return recordUrl(base, to, id)
    embedded += 1
    if (embedded > MAX_EMBEDDED_RECORDS) throw new ExpandTooLarge()
    return write(to, target, expand, () => true)
  }

  const isShown = (name: string) => view.fields?.has(name) ?? true
  return (type, entry) => write(type, entry, view.expand, isShown)
}
