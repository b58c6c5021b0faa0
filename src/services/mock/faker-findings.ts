import type { Finding } from '../../kernel/service.ts'
import { isObject } from './document/json.ts'
import { formatPointer } from './document/pointer.ts'
import { explainWish } from './generate/faker.ts'
import { readRandomOptions } from './generate/random-options.ts'
import type { ServedApi } from './served-api.ts'

/** Members whose values are data of the API and not parts of the document. */
const DATA = ['const', 'default', 'enum', 'example', 'examples', 'x-faker']

/** Warnings for each `x-faker` and each option of random bodies that has no effect. */
export function fakerFindings({ document, label, random }: ServedApi): Finding[] {
  const findings: Finding[] = []
  const warn = (path: readonly string[], text: string) =>
    findings.push({ level: 'warning', where: `${label}#${formatPointer(path)}`, text })
  for (const name of readRandomOptions(document['x-json-schema-faker']).unknown) {
    warn(['x-json-schema-faker', name], 'is not an option of random bodies and is ignored')
  }
  for (const { path, wish } of wishesIn(document)) {
    const reason = explainWish(wish, random)
    if (reason !== undefined) warn(path, `is ignored: ${reason}`)
  }
  return findings
}

interface Wish {
  path: readonly string[]
  wish: unknown
}

/** Keeps its own stack, because documents may be nested deeply. */
function wishesIn(document: unknown): Wish[] {
  const found: Wish[] = []
  const waiting: { node: unknown; path: readonly string[]; isMap: boolean }[] = [
    { node: document, path: [], isMap: false }
  ]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, path, isMap } = next
    if (typeof node !== 'object' || node === null) continue
    if (!isMap && isObject(node) && Object.hasOwn(node, 'x-faker')) {
      found.push({ path: [...path, 'x-faker'], wish: node['x-faker'] })
    }
    for (const [name, value] of Object.entries(node)) {
      if (typeof value !== 'object' || value === null) continue
      // Properties may have any name.
      if (!isMap && DATA.includes(name)) continue
      waiting.push({ node: value, path: [...path, name], isMap: name === 'properties' && !isMap })
    }
  }
  return found.reverse()
}
