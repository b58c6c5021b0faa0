import type { IncomingMessage } from 'node:http'
import { readRequestBody } from '../../../kernel/request-body.ts'
import { FormAborted, FormInvalid, FormTooLarge } from '../contract.ts'

/** Descriptions of four images, in which each character may take twelve bytes. */
const MAX_BYTES = 256 * 1024

/** The fields of a form without files, or the strings of a JSON object. */
export async function readFields(request: IncomingMessage): Promise<URLSearchParams> {
  const body = await readRequestBody(request, MAX_BYTES, {
    tooLarge: () => new FormTooLarge(MAX_BYTES),
    aborted: () => new FormAborted()
  })
  const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '')
  return isJson ? fieldsOf(body.toString()) : new URLSearchParams(body.toString())
}

function fieldsOf(text: string): URLSearchParams {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) throw new FormInvalid('Send a JSON object')
  const entries = Object.entries(value)
  const wrong = entries.find(([, one]) => typeof one !== 'string')
  if (wrong !== undefined) throw new FormInvalid(`${wrong[0]} must be a string`)
  return new URLSearchParams(entries)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new FormInvalid('The body is not JSON')
  }
}
