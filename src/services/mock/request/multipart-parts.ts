import { createRequire } from 'node:module'
import type { Readable } from 'node:stream'
import type { Busboy } from 'busboy'
import { Malformed } from './text-value.ts'

/** Loaded with the first body of its kind. */
const require = createRequire(import.meta.url)

export interface Part {
  name: string
  /** Of a file one character for each byte. */
  text: string
  /** `text/plain` unless it says otherwise. */
  type: string
  isFile: boolean
}

const MAX_PARTS = 10_000
const MAX_NAME_BYTES = 1000

/** Takes a body apart; parts without a name are passed over. */
export function readParts(bytes: Uint8Array, boundary: string): Promise<Part[] | Malformed> {
  return new Promise((resolve) => {
    const parts: Part[] = []
    const refuse = (reason: string) => resolve(new Malformed(reason))
    const parser = openParser(bytes.length, boundary)
    if (parser instanceof Malformed) return resolve(parser)
    parser.on('field', (name, text, { nameTruncated, mimeType: type }) => {
      if (nameTruncated) return refuse('has a part with an endless name')
      if (typeof name === 'string') parts.push({ name, text, type, isFile: false })
    })
    parser.on('file', (name, stream, { mimeType: type }) => {
      collect(stream, (text) => {
        if (typeof name === 'string') parts.push({ name, text, type, isFile: true })
      })
    })
    parser.on('partsLimit', () => refuse(`has more than ${MAX_PARTS} parts`))
    parser.on('error', () => refuse('is no complete multipart message'))
    parser.on('close', () => resolve(parts))
    parser.end(bytes)
  })
}

function openParser(length: number, boundary: string): Busboy | Malformed {
  try {
    const busboy: typeof import('busboy') = require('busboy')
    return busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      limits: { fieldNameSize: MAX_NAME_BYTES, fieldSize: length + 1, parts: MAX_PARTS }
    })
  } catch (error) {
    return new Malformed(error instanceof Error ? error.message : String(error))
  }
}

function collect(stream: Readable, done: (text: string) => void): void {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  stream.on('end', () => done(Buffer.concat(chunks).toString('latin1')))
  // A file that is cut off fails the message as a whole.
  stream.on('error', () => undefined)
}
