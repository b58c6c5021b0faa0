import type { Finding } from '../../../kernel/service.ts'
import { createHomes } from './homes.ts'
import { isObject, type Json, type JsonObject, mapMembers, stringAt, without } from './json.ts'
import { mapChildren, type ObjectKind } from './openapi-structure.ts'
import { findAt, formatPointer, parseFragment, parsePointer } from './pointer.ts'
import { relativeUrl } from './relative-url.ts'

/** Parsed files by URL. */
export type Files = ReadonlyMap<string, JsonObject>

export interface Bundle {
  /** One document whose references all point to its own components. */
  document: JsonObject
  /** URLs that references name and that are not among the files. */
  missing: ReadonlySet<string>
  findings: readonly Finding[]
}

/** Members that identify a schema; after bundling, references are pointers into one document. */
const IDENTITY = ['$id', 'id', '$anchor', '$schema', '$dynamicAnchor', '$recursiveAnchor']
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef']

/** Whether references to objects of this kind in other files are kept. */
export type Stays = (kind: ObjectKind) => boolean

interface SourceLocation {
  /** URL of the file. */
  file: string
  path: readonly string[]
}

/**
 * Joins several files into one document. A referenced part that is not a component of the root file
 * (in another file or deep inside a component) becomes a new component, because the upgrades move
 * sections, and a pointer such as the one to the third parameter of an operation would be invalid.
 */
export function bundle(rootFile: string, files: Files, stays: Stays = () => false): Bundle {
  const root = files.get(rootFile) ?? {}
  const homes = createHomes(root)
  const missing = new Set<string>()
  const findings: Finding[] = []
  const open: string[] = []

  function report(location: SourceLocation, text: string): void {
    findings.push({
      level: 'error',
      where: `${location.file}#${formatPointer(location.path)}`,
      text
    })
  }

  function bundleNode(kind: ObjectKind, node: JsonObject, location: SourceLocation): Json {
    const reference = referenceOf(node)
    if (kind === 'pathItem' && reference !== undefined) {
      const outside = outsideReference(reference, kind, location)
      return outside === undefined
        ? inlinePathItem(reference, node, location)
        : { $ref: outside, ...mapInside(kind, without(node, '$ref'), location) }
    }
    const own = kind === 'schema' ? withoutIdentity(node) : node
    const bare = reference === undefined ? own : without(own, ...REFERENCES)
    const bundled = mapInside(kind, bare, location)
    if (kind === 'schema') mapDiscriminator(bundled, location)
    if (reference === undefined) return bundled
    const target = refer(reference, kind, location)
    return target === undefined ? bundled : { $ref: target, ...bundled }
  }

  function mapInside(
    kind: ObjectKind,
    node: JsonObject,
    { file, path }: SourceLocation
  ): JsonObject {
    return mapChildren(kind, node, path, (child, value, inner) =>
      bundleNode(child, value, { file, path: inner })
    )
  }

  /** The reference relative to the root file; undefined if it is not kept as external. */
  function outsideReference(
    reference: string,
    kind: ObjectKind,
    location: SourceLocation
  ): string | undefined {
    if (!stays(kind)) return undefined
    const url = URL.parse(reference, location.file)
    const file = url?.href.replace(/#.*$/s, '')
    if (url === null || file === undefined || file === rootFile) return undefined
    return findIdentity(files, file) === undefined ? relativeUrl(rootFile, url) : undefined
  }

  /** The reference after bundling; undefined if its target is missing. */
  function refer(
    reference: string,
    kind: ObjectKind,
    location: SourceLocation
  ): string | undefined {
    const outside = outsideReference(reference, kind, location)
    if (outside !== undefined) return outside
    const found = locate(reference, location)
    if (found === undefined) return undefined
    const home = found.file === rootFile ? homes.homeOf(kind, found.path) : undefined
    if (home !== undefined) return home
    const key = `${kind} ${found.file}#${formatPointer(found.path)}`
    const known = homes.find(key)
    if (known !== undefined) return known
    const { reference: moved, keep } = homes.make(key, kind, found)
    keep(bundleNode(kind, found.node, found))
    return moved
  }

  function locate(
    reference: string,
    location: SourceLocation
  ): (SourceLocation & { node: JsonObject }) | undefined {
    const url = URL.parse(reference, location.file)
    if (url === null) {
      report(location, `${reference} is not a valid reference`)
      return undefined
    }
    const fragment = parseFragment(url.hash.slice(1))
    url.hash = ''
    const { href } = url
    const file = files.get(href)
    if (file === undefined) {
      const known = findIdentity(files, href)
      if (known !== undefined) return known
      missing.add(href)
      return undefined
    }
    const path = /^(\/|$)/.test(fragment) ? parsePointer(fragment) : findAnchor(file, fragment)
    const node = path === undefined ? undefined : findAt(file, path)
    if (path === undefined || !isObject(node)) {
      report(location, `${reference} points to a missing value`)
      return undefined
    }
    return { file: href, path, node }
  }

  /** Members beside the reference take precedence, as in most tools. */
  function inlinePathItem(reference: string, node: JsonObject, location: SourceLocation): Json {
    const found = locate(reference, location)
    const key = found && `${found.file}#${formatPointer(found.path)}`
    if (found === undefined || key === undefined) return {}
    if (open.includes(key)) {
      report(location, `${reference} refers to itself`)
      return {}
    }
    open.push(key)
    const target = bundleNode('pathItem', found.node, found)
    open.pop()
    const rest = bundleNode('pathItem', without(node, '$ref'), location)
    return { ...(isObject(target) ? target : {}), ...(isObject(rest) ? rest : {}) }
  }

  function mapDiscriminator(schema: JsonObject, location: SourceLocation): void {
    const { discriminator } = schema
    if (!isObject(discriminator) || !isObject(discriminator.mapping)) return
    const mapping = mapMembers(discriminator.mapping, (value) => {
      if (typeof value !== 'string') return value
      return homes.byName(value) ?? refer(value, 'schema', location) ?? value
    })
    schema.discriminator = { ...discriminator, mapping }
  }

  const document = mapChildren('document', root, [], (kind, node, path) =>
    bundleNode(kind, node, { file: rootFile, path })
  )
  return { document: homes.furnish(document), missing, findings }
}

function referenceOf(node: JsonObject): string | undefined {
  const name = REFERENCES.find((each) => stringAt(node, each) !== undefined)
  return name && stringAt(node, name)
}

function withoutIdentity(schema: JsonObject): JsonObject {
  // Draft 4 has `id` for `$id`; a property named `id` is below `properties`.
  const named = IDENTITY.filter((name) => typeof schema[name] === 'string')
  return named.length === 0 ? schema : without(schema, ...named)
}

function findAnchor(file: JsonObject, anchor: string): string[] | undefined {
  return search(file, (node) => node.$anchor === anchor || node.$dynamicAnchor === anchor)
}

function findIdentity(
  files: Files,
  href: string
): (SourceLocation & { node: JsonObject }) | undefined {
  for (const [file, root] of files) {
    const path = search(root, ({ $id }) => {
      return typeof $id === 'string' && URL.parse($id, file)?.href.replace(/#$/, '') === href
    })
    const node = path && findAt(root, path)
    if (path !== undefined && isObject(node)) return { file, path, node }
  }
  return undefined
}

function search(root: JsonObject, isWanted: (node: JsonObject) => boolean): string[] | undefined {
  const waiting: { node: Json; path: string[] }[] = [{ node: root, path: [] }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, path } = next
    if (isObject(node) && isWanted(node)) return path
    if (typeof node !== 'object' || node === null) continue
    for (const [name, child] of Object.entries(node)) {
      if (typeof child === 'object') waiting.push({ node: child, path: [...path, name] })
    }
  }
  return undefined
}
