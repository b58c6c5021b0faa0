import type { IncomingMessage } from 'node:http'
import type { ScenarioContext } from '../../context.ts'
import { ControlInvalid } from '../../contract.ts'
import { readBytes, readFields } from '../../http/body.ts'

const JSON_TYPE = 'application/json'

/** Reads the body as JSON, whatever its content type. */
export async function readValue(
  context: ScenarioContext,
  request: IncomingMessage
): Promise<unknown> {
  const bytes = await readBytes(request, context.options.maxBodyBytes)
  const { text } = readFields(bytes, JSON_TYPE)
  return text.trim() === '' ? {} : JSON.parse(text)
}

/** Reads an object; throws if it has other keys. */
export async function readControl(
  context: ScenarioContext,
  request: IncomingMessage,
  keys: readonly string[]
): Promise<Readonly<Record<string, unknown>>> {
  const value = await readValue(context, request)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ControlInvalid('The body must be an object')
  }
  const other = Object.keys(value).find((key) => !keys.includes(key))
  if (other !== undefined) {
    throw new ControlInvalid(`Unknown key ${other}; known keys: ${keys.join(', ')}`)
  }
  return { ...value }
}
