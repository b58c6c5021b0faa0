import { decodePercent } from '../request/percent.ts'
import type { Collection } from './collection.ts'

export interface FoundCollection {
  collection: Collection
  /** Nothing when the path is the template itself. */
  parents: readonly string[] | undefined
  /** Of one item, when the path leads to one. */
  id: string | undefined
}

/** By a path with or without values for its parameters; the slash in front may be left out. */
export function findCollection(
  collections: readonly Collection[],
  path: string
): FoundCollection | undefined {
  const wanted = `/${path.replace(/^\/|\/$/g, '')}`
  const template = collections.find(({ key }) => key === wanted)
  if (template !== undefined) {
    const parents = template.parents.length === 0 ? [] : undefined
    return { collection: template, parents, id: undefined }
  }
  for (const collection of collections) {
    const list = matchPath(collection.key, wanted)
    if (list !== undefined) return { collection, parents: list, id: undefined }
    const item = matchPath(`${collection.key}/{}`, wanted)
    if (item !== undefined) return { collection, parents: item.slice(0, -1), id: item.at(-1) }
  }
  return undefined
}

function matchPath(template: string, path: string): string[] | undefined {
  const wanted = template.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const values: string[] = []
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? ''
    if (segment.startsWith('{') && segment.endsWith('}')) values.push(decodePercent(value))
    else if (segment !== value) return undefined
  }
  return values.includes('') ? undefined : values
}

/** The path of a place, for people. */
export function pathOf({ key }: Collection, parents: readonly string[]): string {
  let index = 0
  return key.replace(/\{[^{}]+\}/g, () =>
    encodeURIComponent((parents[index++] ?? '').toWellFormed())
  )
}
