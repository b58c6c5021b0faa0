import type { IncomingMessage } from 'node:http'
import { parseRequestTarget } from '../../../../kernel/request-target.ts'
import { readJsonObject } from '../../api/read-body.ts'
import { type InvalidField, invalidInput } from '../../contract.ts'

const MAX_BODY_BYTES = 16 * 1024
const MAX_SHOWN = 100

/** A value, or what is wrong with it. */
type Read<T> = { readonly value: T } | { readonly message: string }
type Reader<T> = (value: string | undefined) => Read<T>

export type Readers = Readonly<Record<string, Reader<unknown>>>

export type Values<R extends Readers> = {
  readonly [Key in keyof R]: R[Key] extends Reader<infer T> ? T : never
}

/** An empty parameter is the same as one that is not sent. */
export function text(most: number): Reader<string | undefined> {
  return (value) =>
    value !== undefined && (value.length > most || value.includes('\0'))
      ? { message: `must have at most ${most} characters, none of them NUL` }
      : { value: value === '' ? undefined : value }
}

export function integer(least: number, most: number, standard: number): Reader<number> {
  return (value) => {
    if (value === undefined || value === '') return { value: standard }
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    return number >= least && number <= most
      ? { value: number }
      : { message: `must be a number from ${least} to ${most}` }
  }
}

/** The query of a request; throws all that is wrong, unknown names too. */
export function readQuery<R extends Readers>({ url = '' }: IncomingMessage, readers: R): Values<R> {
  const query = new URLSearchParams(parseRequestTarget(url).query)
  const fields: InvalidField[] = []
  for (const key of new Set(query.keys())) {
    if (!Object.hasOwn(readers, key))
      fields.push({ key: shortened(key), message: 'is not allowed' })
    else if (query.getAll(key).length > 1) fields.push({ key, message: 'must be sent once' })
  }
  const values = Object.entries(readers).map(([key, read]) => {
    const result = read(query.get(key) ?? undefined)
    if ('value' in result) return [key, result.value]
    fields.push({ key, message: result.message })
    return [key, undefined]
  })
  if (fields.length > 0) throw invalidInput(fields)
  return Object.fromEntries(values)
}

/** Strings of a JSON object; a request without a body has none. Null is the same as no field. */
export async function readStrings<Key extends string>(
  request: IncomingMessage,
  known: readonly Key[]
): Promise<Readonly<Partial<Record<Key, string>>>> {
  const object = await readJsonObject(request, MAX_BODY_BYTES)
  const fields: InvalidField[] = []
  const strings: Partial<Record<Key, string>> = {}
  for (const [name, value] of Object.entries(object)) {
    const key = known.find((one) => one === name)
    if (key === undefined) fields.push({ key: shortened(name), message: 'is not allowed' })
    else if (typeof value === 'string') strings[key] = value
    else if (value !== null) fields.push({ key, message: 'must be a string' })
  }
  if (fields.length > 0) throw invalidInput(fields)
  return strings
}

function shortened(name: string): string {
  return name.slice(0, MAX_SHOWN).toWellFormed()
}
