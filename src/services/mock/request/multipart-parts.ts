import { buffer } from 'node:stream/consumers'
import { type MultipartPart, readMultipart } from '../../../kernel/multipart.ts'
import { Malformed } from './text-value.ts'

export interface Part {
  name: string
  /** In a file, one character for each byte. */
  text: string
  /** `text/plain` by default. */
  type: string
  isFile: boolean
}

const MAX_PARTS = 10_000

const INCOMPLETE = 'is not a complete multipart message'
const ERRORS = {
  invalidType: (cause: Error) => cause,
  invalid: () => new Error(INCOMPLETE),
  tooLarge: () => new Error(INCOMPLETE),
  tooManyParts: () => new Error(`has more than ${MAX_PARTS} parts`)
}

/** Splits a body, fields first; parts without a name are ignored. */
export async function readParts(bytes: Uint8Array, boundary: string): Promise<Part[] | Malformed> {
  const fields: Part[] = []
  const files: Part[] = []
  const add = (parts: Part[], { name, contentType: type }: MultipartPart, text: string) => {
    if (name !== undefined) parts.push({ name, text, type, isFile: parts === files })
  }
  const options = {
    contentType: `multipart/form-data; boundary="${boundary}"`,
    limits: { parts: MAX_PARTS, fieldBytes: bytes.length },
    errors: ERRORS
  }
  try {
    await readMultipart(bytes, options, {
      field: (part, value) => add(fields, part, value),
      file: async (part, content) => add(files, part, (await buffer(content)).toString('latin1'))
    })
  } catch (error) {
    return new Malformed((error as Error).message)
  }
  return [...fields, ...files]
}
