import type { IncomingMessage } from 'node:http'
import { readBytes, readFields } from '../body.ts'
import { ControlInvalid } from '../contract.ts'
import type { Room } from '../room.ts'

const JSON_TYPE = 'application/json'

/** A JSON value, whatever its content type says. */
export async function readValue(room: Room, request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request, room.options.maxBodyBytes)
  const { text } = readFields(bytes, JSON_TYPE)
  return text.trim() === '' ? {} : JSON.parse(text)
}

/** An object with no other keys than these. */
export async function readControl(
  room: Room,
  request: IncomingMessage,
  keys: readonly string[]
): Promise<Readonly<Record<string, unknown>>> {
  const value = await readValue(room, request)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ControlInvalid('The body must be an object')
  }
  const other = Object.keys(value).find((key) => !keys.includes(key))
  if (other !== undefined) {
    throw new ControlInvalid(`Unknown key ${other}; known keys: ${keys.join(', ')}`)
  }
  return { ...value }
}
