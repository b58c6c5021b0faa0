import { createHash } from 'node:crypto'
import { LineInvalid } from '../contract.ts'
import { readJson } from '../text/read-json.ts'
import { cutReserved } from '../text/record-text.ts'
import { type Member, type ScannedObject, scanBody } from '../text/scan.ts'

/** Line breaks stand only between tokens; the indentation around them goes too. */
const BREAKS = /[ \t]*[\r\n][ \t\r\n]*/g

/** Such ids have no time in front, and are the same for the same record of a file. */
const NO_TIME = '00000000'

/**
 * The lines of an import for a file of json-server: each list becomes a collection, each single
 * object a collection of one record.
 */
export function* linesOfJsonServer(text: string): Generator<string> {
  const { many, objects } = scanBody(text)
  const [root] = objects
  if (many || root === undefined)
    throw new LineInvalid('A json-server file must contain one object')
  for (const member of root.members) {
    const name = String(readJson(text.slice(member.keyStart, member.keyEnd)))
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
    // Of a single object there is one, so its name is enough.
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

/** As the file names a record; undefined where it does not. */
function idOf(text: string, members: readonly Member[]): string | undefined {
  const named = members.findLast(({ keyStart, keyEnd }) => text.slice(keyStart, keyEnd) === '"id"')
  if (named === undefined) return undefined
  const value = readJson(text.slice(named.valueStart, named.valueEnd))
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** A file that is imported again meets its own records, not copies of them. */
function deriveId(collection: string, id: string, seen: Map<string, number>): string {
  const count = seen.get(id) ?? 0
  seen.set(id, count + 1)
  const name = JSON.stringify([collection, id, count])
  return NO_TIME + createHash('sha256').update(name).digest('hex').slice(0, 16)
}
