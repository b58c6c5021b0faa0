import type { Finding } from '../../../kernel/service.ts'
import { createExampleResolver, type LocatedValue, mapExamples } from './example-references.ts'
import { createHomes } from './homes.ts'
import { isObject, type Json, type JsonObject, mapMembers, stringAt, without } from './json.ts'
import { mapChildren, type ObjectKind } from './openapi-structure.ts'
import { findAt, formatPointer, parseFragment, parsePointer } from './pointer.ts'
import { relativeUrl } from './relative-url.ts'

/** Parsed files by URL. */
export type Files = ReadonlyMap<string, Json>

export interface Bundle {
  /** One document whose references all point to its own components. */
  document: JsonObject
  /** URLs that references name and that are not among the files. */
  missing: ReadonlySet<string>
  /** The same for references in examples. */
  missingExamples: ReadonlySet<string>
  /** URLs of external examples by `externalValue` of the bundled document. */
  externals: ReadonlyMap<string, string>
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
  const file = files.get(rootFile)
  const root = isObject(file) ? file : {}
  const homes = createHomes(root)
  const missing = new Set<string>()
  const missingExamples = new Set<string>()
  const externals = new Map<string, string>()
  const findings: Finding[] = []
  const open: string[] = []

  function report(location: SourceLocation, text: string, level: Finding['level'] = 'error'): void {
    findings.push({
      level,
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
    const bundled = bundleExamples(kind, mapInside(kind, bare, location), location)
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

  const resolveExample = createExampleResolver(
    (reference, origin) => {
      const found = find(reference, origin)
      if (typeof found === 'object') return found
      if (found === undefined) {
        report(origin, `${reference} has no target; the example is served as written`, 'warning')
      } else missingExamples.add(found)
      return undefined
    },
    (origin, text) => report(origin, text, 'warning')
  )

  function bundleExamples(
    kind: ObjectKind,
    node: JsonObject,
    location: SourceLocation
  ): JsonObject {
    if (kind === 'example') locateExternal(node, location)
    return stays('example')
      ? node
      : mapExamples(kind, node, (example) => resolveExample(example, location))
  }

  /** Relative to the root file, as the bundled document is. */
  function locateExternal(example: JsonObject, { file }: SourceLocation): void {
    const given = stringAt(example, 'externalValue')
    const url = given === undefined ? null : URL.parse(given, file)
    if (given === undefined || url === null || example.value !== undefined) return
    const written = file === rootFile ? given : relativeUrl(rootFile, url)
    example.externalValue = written
    externals.set(written, url.href)
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
    if (URL.parse(reference, location.file) === null) {
      report(location, `${reference} is not a valid reference`)
      return undefined
    }
    const found = find(reference, location)
    if (typeof found === 'string') missing.add(found)
    else if (found === undefined) report(location, `${reference} points to a missing value`)
    else if (isObject(found.value)) return { ...found, node: found.value }
    else report(location, `${reference} must contain an object`)
    return undefined
  }

  /** The URL of the file if it was not read; undefined if the reference has no target. */
  function find(reference: string, location: SourceLocation): LocatedValue | string | undefined {
    const url = URL.parse(reference, location.file)
    if (url === null) return undefined
    const fragment = parseFragment(url.hash.slice(1))
    url.hash = ''
    const { href } = url
    const file = files.get(href)
    if (file === undefined) return findIdentity(files, href) ?? href
    const path = /^(\/|$)/.test(fragment) ? parsePointer(fragment) : findAnchor(file, fragment)
    const value = path === undefined ? undefined : findAt(file, path)
    return path === undefined || value === undefined ? undefined : { file: href, path, value }
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
  return { document: homes.furnish(document), missing, missingExamples, externals, findings }
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

function findAnchor(file: Json, anchor: string): string[] | undefined {
  return search(file, (node) => node.$anchor === anchor || node.$dynamicAnchor === anchor)
}

function findIdentity(files: Files, href: string): LocatedValue | undefined {
  for (const [file, root] of files) {
    const path = search(root, ({ $id }) => {
      return typeof $id === 'string' && URL.parse($id, file)?.href.replace(/#$/, '') === href
    })
    const value = path && findAt(root, path)
    if (path !== undefined && isObject(value)) return { file, path, value }
  }
  return undefined
}

function search(root: Json, isWanted: (node: JsonObject) => boolean): string[] | undefined {
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
