import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject, setMember } from './json.ts'
import { findAt } from './json-pointer.ts'

export type PatchOperator = 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'

/** The member that each operator of RFC 6902 requires besides `path`. */
export const PATCH_OPERANDS: Readonly<Record<PatchOperator, 'value' | 'from' | undefined>> = {
  add: 'value',
  remove: undefined,
  replace: 'value',
  move: 'from',
  copy: 'from',
  test: 'value'
}
export const PATCH_OPERATORS: readonly string[] = Object.keys(PATCH_OPERANDS)

export function isPatchOperator(op: unknown): op is PatchOperator {
  return typeof op === 'string' && Object.hasOwn(PATCH_OPERANDS, op)
}

/** The tokens of a JSON pointer. */
type Path = readonly string[]

/** One validated operation of RFC 6902. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: Path; readonly value: Json }
  | { readonly op: 'remove'; readonly path: Path }
  | { readonly op: 'move' | 'copy'; readonly path: Path; readonly from: Path }

/** Holds the value that a patch is applied to and decides what is copied before a change. */
export interface PatchContainer {
  readonly root: () => Json
  readonly replaceRoot: (value: Json) => void
  /** The object or array at the path, safe to change; undefined if `findAt` finds none. */
  readonly own: (path: Path) => Json[] | JsonObject | undefined
  /** Called with each value and path before the value is inserted; throws if it is not allowed. */
  readonly admit?: (value: Json, path: Path) => void
  /** Returns the copy to insert for the operator `copy`. */
  readonly copy: (value: Json) => Json
}

/**
 * `missing`: the path has no value or no container; `index`: the last token is not an array index;
 * `inside`: a value would be moved into itself; `test`: the value differs.
 */
export type PatchErrorReason = 'missing' | 'index' | 'inside' | 'test'

export class PatchError extends Error {
  override name = 'PatchError'
  readonly reason: PatchErrorReason
  readonly path: Path

  constructor(reason: PatchErrorReason, path: Path) {
    super(`${reason} at /${path.join('/')}`)
    this.reason = reason
    this.path = path
  }
}

/** Throws `PatchError`; the container may then hold a part of the change. */
export function applyPatchOperation(container: PatchContainer, operation: PatchOperation): void {
  switch (operation.op) {
    case 'add':
      add(container, operation.path, operation.value)
      break
    case 'remove':
      remove(container, operation.path)
      break
    case 'replace':
      replace(container, operation.path, operation.value)
      break
    case 'copy':
      add(container, operation.path, container.copy(existing(container, operation.from)))
      break
    case 'move':
      move(container, operation.from, operation.path)
      break
    case 'test':
      if (!isDeepStrictEqual(existing(container, operation.path), operation.value)) {
        throw new PatchError('test', operation.path)
      }
  }
}

function move(container: PatchContainer, from: Path, to: Path): void {
  if (from.length < to.length && from.every((token, index) => token === to[index])) {
    throw new PatchError('inside', from)
  }
  const value = existing(container, from)
  remove(container, from)
  add(container, to, value)
}

function add(container: PatchContainer, path: Path, value: Json): void {
  container.admit?.(value, path)
  change(container, path, value, (parent, name) => {
    if (!Array.isArray(parent)) setMember(parent, name, value)
    else {
      const index = name === '-' ? parent.length : indexAt(name, path)
      if (index > parent.length) throw new PatchError('missing', path)
      parent.splice(index, 0, value)
    }
  })
}

function replace(container: PatchContainer, path: Path, value: Json): void {
  container.admit?.(value, path)
  existing(container, path)
  change(container, path, value, (parent, name) => {
    if (Array.isArray(parent)) parent[indexAt(name, path)] = value
    else setMember(parent, name, value)
  })
}

/** If the path is the root, the value becomes null. */
function remove(container: PatchContainer, path: Path): void {
  existing(container, path)
  change(container, path, null, (parent, name) => {
    if (Array.isArray(parent)) parent.splice(indexAt(name, path), 1)
    else delete parent[name]
  })
}

function change(
  container: PatchContainer,
  path: Path,
  root: Json,
  act: (parent: Json[] | JsonObject, name: string) => void
): void {
  const name = path.at(-1)
  if (name === undefined) container.replaceRoot(root)
  else act(ownParent(container, path), name)
}

function existing(container: PatchContainer, path: Path): Json {
  const value = findAt(container.root(), path)
  if (value === undefined) throw new PatchError('missing', path)
  return value
}

function ownParent(container: PatchContainer, path: Path): Json[] | JsonObject {
  const own = container.own(path.slice(0, -1))
  if (own === undefined) throw new PatchError('missing', path)
  return own
}

function indexAt(name: string, path: Path): number {
  if (!/^(?:0|[1-9]\d*)$/.test(name)) throw new PatchError('index', path)
  return Number(name)
}

/** A container that leaves `start` unchanged; the result shares unchanged parts with it. */
export function createCopyOnWrite(
  start: Json,
  copy: PatchContainer['copy'] = (value) => value
): PatchContainer {
  let root = start
  return {
    root: () => root,
    replaceRoot(value) {
      root = value
    },
    own(path) {
      let own = copyShallow(root)
      if (own !== undefined) root = own
      for (const token of path) {
        if (own === undefined) return undefined
        const inner = copyShallow(findAt(own, [token]))
        if (inner === undefined) return undefined
        if (Array.isArray(own)) own[Number(token)] = inner
        else setMember(own, token, inner)
        own = inner
      }
      return own
    },
    copy
  }
}

function copyShallow(value: Json | undefined): Json[] | JsonObject | undefined {
  if (Array.isArray(value)) return [...value]
  return isObject(value) ? { ...value } : undefined
}
