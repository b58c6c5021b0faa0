import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, memberOf, without } from '../document/json.ts'
import { findAt, formatPointer, parsePointer } from '../document/pointer.ts'
import { indexOf, withMember } from './member.ts'
import { type Allowance, spend } from './weight.ts'

/** One operation of RFC 6902, its values filled in. */
export interface PatchOperation {
  op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
  path: string
  from?: string
  value?: Json
}

/** Why a patch cannot be applied; then nothing of it is. */
export class PatchFault extends Error {}

type Tokens = readonly string[]

/** The patched value; the given one stays as it is, and what is alike is shared. */
export function applyPatch(
  target: Json,
  operations: readonly PatchOperation[],
  allowance: Allowance
): Json {
  return operations.reduce(
    (value, operation) => applyOperation(value, operation, allowance),
    target
  )
}

function applyOperation(target: Json, operation: PatchOperation, allowance: Allowance): Json {
  const { op, path, value = null } = operation
  const tokens = parsePointer(path)
  switch (op) {
    case 'add':
      return add(target, tokens, value)
    case 'remove':
      return remove(target, tokens)
    case 'replace':
      return replace(target, tokens, value)
    case 'copy': {
      const copied = existing(target, parsePointer(operation.from ?? ''))
      // A copy of a copy doubles the value each time, and costs nothing until it is written.
      if (!spend(allowance, copied)) throw new PatchFault('its copies are too large')
      return add(target, tokens, copied)
    }
    case 'move':
      return move(target, parsePointer(operation.from ?? ''), tokens)
    case 'test':
      if (isDeepStrictEqual(existing(target, tokens), value)) return target
      throw new PatchFault(`${path || 'the body'} is not what the test says`)
  }
}

function move(target: Json, from: Tokens, to: Tokens): Json {
  if (from.length < to.length && from.every((token, index) => token === to[index])) {
    throw new PatchFault(`${formatPointer(from)} cannot be moved into itself`)
  }
  return add(remove(target, from), to, existing(target, from))
}

function existing(target: Json, tokens: Tokens): Json {
  const value = findAt(target, tokens)
  if (value === undefined) throw missing(tokens)
  return value
}

function missing(tokens: Tokens): PatchFault {
  return new PatchFault(`there is no ${formatPointer(tokens) || 'body'}`)
}

function add(target: Json, tokens: Tokens, value: Json): Json {
  return change(target, tokens, value, (holder, last) => {
    if (!Array.isArray(holder))
      return isObject(holder) ? withMember(holder, last, value) : undefined
    const index = last === '-' ? holder.length : indexOf(last, holder.length + 1)
    return index === undefined ? undefined : holder.toSpliced(index, 0, value)
  })
}

function replace(target: Json, tokens: Tokens, value: Json): Json {
  return change(target, tokens, value, (holder, last) => {
    if (memberOf(holder, last) !== undefined && isObject(holder)) {
      return withMember(holder, last, value)
    }
    const index = Array.isArray(holder) ? indexOf(last, holder.length) : undefined
    return index === undefined ? undefined : (holder as Json[]).with(index, value)
  })
}

export function remove(target: Json, tokens: Tokens): Json {
  return change(target, tokens, null, (holder, last) => {
    if (memberOf(holder, last) !== undefined && isObject(holder)) return without(holder, last)
    const index = Array.isArray(holder) ? indexOf(last, holder.length) : undefined
    return index === undefined ? undefined : (holder as Json[]).toSpliced(index, 1)
  })
}

/** Copies what lies on the way; `whole` stands for the value itself when there is no way. */
function change(
  target: Json,
  tokens: Tokens,
  whole: Json,
  act: (holder: Json, last: string) => Json | undefined
): Json {
  const last = tokens.at(-1)
  if (last === undefined) return whole
  const way = [target]
  for (const token of tokens.slice(0, -1)) {
    const next = findAt(way.at(-1) as Json, [token])
    if (next === undefined) throw missing(tokens)
    way.push(next)
  }
  let changed = act(way.pop() as Json, last)
  if (changed === undefined) throw missing(tokens)
  for (let depth = way.length - 1; depth >= 0; depth--) {
    const holder = way[depth] as Json
    const token = tokens[depth] as string
    changed = Array.isArray(holder)
      ? holder.with(Number(token), changed)
      : withMember(
          holder as Exclude<typeof holder, Json[] | string | number | boolean | null>,
          token,
          changed
        )
  }
  return changed
}
