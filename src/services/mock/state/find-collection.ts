import { decodePercent } from '../request/percent.ts'
import type { Collection } from './collection.ts'

export interface FoundCollection {
  collection: Collection
  /** Undefined if the path is a template with parameters. */
  parents: readonly string[] | undefined
  /** Id of an item; undefined if the path is that of the collection. */
  id: string | undefined
}

/** Finds a collection by a path with or without parameter values; the leading slash is optional. */
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

/** Path of a collection with the ids of its parents, for display. */
export function pathOf({ key }: Collection, parents: readonly string[]): string {
  let index = 0
  return key.replace(/\{[^{}]+\}/g, () =>
    encodeURIComponent((parents[index++] ?? '').toWellFormed())
  )
}
