import type { Finding } from '../../kernel/service.ts'
import { isObject } from './document/json.ts'
import { formatPointer } from './document/pointer.ts'
import { explainWish } from './generate/faker.ts'
import { readRandomOptions } from './generate/random-options.ts'
import type { ServedApi } from './served-api.ts'

export const FAKER_KEYWORD = 'x-faker'

/** Members whose values are data of the API and not parts of the document. */
const DATA = new Set(['const', 'default', 'enum', 'example', 'examples', FAKER_KEYWORD])

/**
 * Warnings for each `x-faker` and each option of random bodies that has no effect. The search for
 * `x-faker` takes 3 % of a start with 1,000 operations; it is left out if no text contains the word.
 */
export function fakerFindings(
  { document, label, random }: ServedApi,
  mayHaveWishes: boolean
): Finding[] {
  const findings: Finding[] = []
  const warn = (path: readonly string[], text: string) =>
    findings.push({ level: 'warning', where: `${label}#${formatPointer(path)}`, text })
  for (const name of readRandomOptions(document['x-json-schema-faker']).unknown) {
    warn(['x-json-schema-faker', name], 'is not an option of random bodies and is ignored')
  }
  for (const { path, wish } of mayHaveWishes ? wishesIn(document) : []) {
    const reason = explainWish(wish, random)
    if (reason !== undefined) warn(path, `is ignored: ${reason}`)
  }
  return findings
}

interface Wish {
  path: readonly string[]
  wish: unknown
}

/** A part of the document; its path is a chain, because most paths are never needed. */
interface Part {
  node: object
  name: string
  parent: Part | undefined
  isMap: boolean
}

/** Keeps its own stack, because documents may be nested deeply. */
function wishesIn(document: object): Wish[] {
  const found: Wish[] = []
  const waiting: Part[] = [{ node: document, name: '', parent: undefined, isMap: false }]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { node, isMap } = part
    if (!isMap && isObject(node) && Object.hasOwn(node, FAKER_KEYWORD)) {
      found.push({ path: [...pathOf(part), FAKER_KEYWORD], wish: node[FAKER_KEYWORD] })
    }
    for (const [name, value] of Object.entries(node)) {
      if (typeof value !== 'object' || value === null) continue
      // Properties may have any name.
      if (!isMap && DATA.has(name)) continue
      waiting.push({ node: value, name, parent: part, isMap: name === 'properties' && !isMap })
    }
  }
  return found.reverse()
}

function pathOf(part: Part): string[] {
  const path: string[] = []
  for (let next = part; next.parent !== undefined; next = next.parent) path.push(next.name)
  return path.reverse()
}
