import { createHash } from 'node:crypto'
import { LineInvalid } from '../contract.ts'
import { readJson } from '../text/read-json.ts'
import { cutReserved } from '../text/record-text.ts'
import { type Member, type ScannedObject, scanBody } from '../text/scan.ts'

/** Line breaks, which are only between tokens, with the indentation around them. */
const BREAKS = /[ \t]*[\r\n][ \t\r\n]*/g

/** The schema for an editor, which json-server ignores too. */
const SCHEMA_KEY = '$schema'

/** Prefix of derived ids, in place of the time; they are the same for each import of a file. */
const NO_TIME = '00000000'

/**
 * The lines of an import for a file of json-server: each array becomes a collection, each single
 * object a collection of one record.
 */
export function* linesOfJsonServer(text: string): Generator<string> {
  const { many, objects } = scanBody(text)
  const [root] = objects
  if (many || root === undefined)
    throw new LineInvalid('A json-server file must contain one object')
  for (const member of root.members) {
    const name = String(readJson(text.slice(member.keyStart, member.keyEnd)))
    if (name === SCHEMA_KEY) continue
    yield* linesOfCollection(name, text.slice(member.valueStart, member.valueEnd))
  }
}

function* linesOfCollection(name: string, text: string): Generator<string> {
  if (!/^[[{]/.test(text)) {
    throw new LineInvalid(
      `"${name}" is neither an array nor an object, so it cannot be a collection`
    )
  }
  const isSingle = text.startsWith('{')
  const seen = new Map<string, number>()
  for (const object of scanRecords(name, text)) {
    // A single object is the only one of its collection, so the name is enough.
    const id = isSingle ? '' : idOf(text, object.members)
    const fields = cutReserved(text, object).replace(BREAKS, ' ').slice(1, -1).trim()
    const system = [
      ...(id === undefined ? [] : [`"_id":"${deriveId(name, id, seen)}"`]),
      ...(fields === '' ? [] : [fields]),
      `"_collection":${JSON.stringify(name)}`
    ]
    yield `{${system.join(',')}}`
  }
}

function scanRecords(name: string, text: string): readonly ScannedObject[] {
  try {
    return scanBody(text).objects
  } catch (cause) {
    throw new LineInvalid(`In "${name}": ${(cause as Error).message}`)
  }
}

/** The `id` of a record in the file; undefined if it has none. */
function idOf(text: string, members: readonly Member[]): string | undefined {
  const named = members.findLast(({ keyStart, keyEnd }) => text.slice(keyStart, keyEnd) === '"id"')
  if (named === undefined) return undefined
  const value = readJson(text.slice(named.valueStart, named.valueEnd))
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** The same id in each import, so that records are replaced and not duplicated. */
function deriveId(collection: string, id: string, seen: Map<string, number>): string {
  const count = seen.get(id) ?? 0
  seen.set(id, count + 1)
  const name = JSON.stringify([collection, id, count])
  return NO_TIME + createHash('sha256').update(name).digest('hex').slice(0, 16)
}
