import type { IncomingMessage } from 'node:http'
import { bodyType, readObject, readText, stringIn } from '../api/read-json.ts'

/** Descriptions of four images, in which each character may take twelve bytes. */
const MAX_BYTES = 256 * 1024

/** The fields of a form without files, or the strings of a JSON object. */
export async function readFields(request: IncomingMessage): Promise<URLSearchParams> {
  if (bodyType(request) !== 'application/json') {
    return new URLSearchParams(await readText(request, MAX_BYTES))
  }
  const object = await readObject(request, MAX_BYTES)
  const names = Object.keys(object)
  return new URLSearchParams(names.map((name) => [name, stringIn(object, name) ?? '']))
}
