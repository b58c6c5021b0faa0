import { isPatchOperator, PATCH_OPERANDS, type PatchOperator } from '../../../kernel/json-patch.ts'
import { editArray, editObject } from './edit.ts'
import { patchFailed, patchInvalid, patchTestFailed, patchTooLarge } from './patch-errors.ts'
import { arrayIndex, locate, locateParent, parsePointer } from './pointer.ts'
import { isSameValue } from './same-value.ts'
import { elementsOf, findMember, membersOf, type Span, skipSpace } from './spans.ts'

export const MAX_OPERATIONS = 1000
/** Maximum number of characters that all operations may scan: each scans the whole record. */
const MAX_WORK = 32 * 1024 * 1024

interface Operation {
  readonly op: PatchOperator
  readonly pointer: string
  readonly path: readonly string[]
  readonly from: { readonly pointer: string; readonly path: readonly string[] } | undefined
  /** JSON text as it was sent. */
  readonly value: string | undefined
}

/** RFC 6902 on valid JSON text: values that no operation names keep their bytes. */
export function jsonPatch(target: string, patch: string): string {
  const operations = readOperations(patch)
  let text = target.trim()
  let work = 0
  for (const [index, operation] of operations.entries()) {
    work += text.length * (operation.path.length + 2)
    if (work > MAX_WORK) throw patchTooLarge(`operation ${index} exceeds the limits of one patch`)
    text = apply(text, operation, `operation ${index}`)
  }
  return text
}

function readOperations(patch: string): Operation[] {
  const start = skipSpace(patch, 0)
  if (patch.charAt(start) !== '[') throw patchInvalid('a JSON Patch must be an array of operations')
  const elements = elementsOf(patch, start)
  if (elements.length > MAX_OPERATIONS) {
    throw patchTooLarge(`more than ${MAX_OPERATIONS} operations`)
  }
  return elements.map((element, index) => readOperation(patch, element, `operation ${index}`))
}

function readOperation(patch: string, { start }: Span, about: string): Operation {
  if (patch.charAt(start) !== '{') throw patchInvalid(`${about} is not an object`)
  const members = membersOf(patch, start)
  const read = (name: string): string | undefined => {
    const member = findMember(members, name)
    return member && patch.slice(member.valueStart, member.end)
  }
  const readText = (name: string): string => {
    const text = read(name)
    if (text?.charAt(0) !== '"') throw patchInvalid(`${about} has no string "${name}"`)
    return JSON.parse(text)
  }
  const op = readText('op')
  if (!isPatchOperator(op)) throw patchInvalid(`${about}: unknown operation "${op}"`)
  const value = read('value')
  if (PATCH_OPERANDS[op] === 'value' && value === undefined)
    throw patchInvalid(`${about} has no "value"`)
  const pointer = readText('path')
  const source = PATCH_OPERANDS[op] === 'from' ? readText('from') : undefined
  const from = source === undefined ? undefined : { pointer: source, path: parsePointer(source) }
  return { op, pointer, path: parsePointer(pointer), from, value }
}

function apply(text: string, operation: Operation, about: string): string {
  const { op, path, pointer, from, value = '' } = operation
  switch (op) {
    case 'add':
      return add(text, path, pointer, value)
    case 'remove':
      return remove(text, path, pointer)
    case 'replace':
      find(text, path, pointer)
      return put(text, path, value)
    case 'test': {
      if (isSameValue(find(text, path, pointer), value)) return text
      throw patchTestFailed(`${about}: "${pointer}" has another value`)
    }
    default: {
      if (from === undefined) throw patchInvalid(`${about} has no "from"`)
      const moved = find(text, from.path, from.pointer)
      if (op === 'copy') return add(text, path, pointer, moved)
      if (isInside(path, from.path)) throw patchFailed(`${about} moves a value into itself`)
      return add(remove(text, from.path, from.pointer), path, pointer, moved)
    }
  }
}

function isInside(path: readonly string[], outer: readonly string[]): boolean {
  return path.length > outer.length && outer.every((name, index) => path[index] === name)
}

function find(text: string, path: readonly string[], pointer: string): string {
  const span = locate(text, path)
  if (span === undefined) throw patchFailed(`"${pointer}" does not exist`)
  return text.slice(span.start, span.end)
}

/** Sets a member, or replaces an element that exists. */
function put(text: string, path: readonly string[], value: string): string {
  const name = path.at(-1)
  if (name === undefined) return value
  const parent = locateParent(text, path, name)
  if (text.charAt(parent.start) === '[') {
    return within(text, parent, editArray(text, parent.start, Number(name), 1, [value]))
  }
  return within(text, parent, editObject(text, parent.start, new Map([[name, value]]), new Map()))
}

function add(text: string, path: readonly string[], pointer: string, value: string): string {
  const name = path.at(-1)
  if (name === undefined) return value
  const parent = locateParent(text, path, pointer)
  if (text.charAt(parent.start) !== '[') return put(text, path, value)
  const { length } = elementsOf(text, parent.start)
  const index = arrayIndex(name, length, pointer)
  if (index > length) throw patchFailed(`"${pointer}" is beyond the end of its array`)
  return within(text, parent, editArray(text, parent.start, index, 0, [value]))
}

function remove(text: string, path: readonly string[], pointer: string): string {
  find(text, path, pointer)
  const name = path.at(-1)
  if (name === undefined) throw patchFailed('the record itself cannot be removed by a patch')
  const parent = locateParent(text, path, pointer)
  if (text.charAt(parent.start) === '[') {
    return within(text, parent, editArray(text, parent.start, Number(name), 1, []))
  }
  const edits = new Map([[name, undefined]])
  return within(text, parent, editObject(text, parent.start, edits, new Map()))
}

function within(text: string, { start, end }: Span, changed: string): string {
  return text.slice(0, start) + changed + text.slice(end)
}
