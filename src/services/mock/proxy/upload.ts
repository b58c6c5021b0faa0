import type { Readable } from 'node:stream'
import { Problem } from '../contract.ts'
import type { Arrival } from '../engine/exchange.ts'
import type { EngineOptions } from '../engine/options.ts'
import { bufferBody } from './buffer-body.ts'
import { type Copy, copyWhileRunning } from './copy.ts'
import { decode } from './decode.ts'

/** Maximum time an upload is buffered for validation before it is forwarded. */
const MAX_UPLOAD_MS = 60_000

/** The request body that is forwarded to the upstream. */
export interface Upload {
  body: Readable | Uint8Array | null
  bytes: () => Uint8Array | undefined
  /** Whether the body is complete, so that it can be validated. */
  isWhole: () => boolean
}

export async function openUpload(incoming: Arrival, options: EngineOptions): Promise<Upload> {
  const { stream, body } = incoming
  if (stream === undefined) return settled(body)
  if (!options.errors) return running(copyWhileRunning(stream, options.maxBodyBytes))
  const held = await holdBytes(stream, options.maxBodyBytes)
  if (held.bytes !== undefined) return settled(held.bytes)
  return { body: held.stream, bytes: () => undefined, isWhole: () => false }
}

/** The request with its whole body, decompressed; a body that is too large stays a stream. */
export async function holdUpload(incoming: Arrival, maxBytes: number): Promise<Arrival> {
  const { stream, headers } = incoming
  if (stream === undefined) return incoming
  const held = await holdBytes(stream, maxBytes)
  if (held.bytes === undefined) return { ...incoming, stream: held.stream }
  const { 'content-encoding': encoding = '', ...others } = headers
  const body = await decode(held.bytes, String(encoding), maxBytes)
  if (body === undefined || encoding === '') {
    return { ...incoming, body: held.bytes, stream: undefined }
  }
  const length = String(body.length)
  return { ...incoming, body, stream: undefined, headers: { ...others, 'content-length': length } }
}

function holdBytes(stream: Readable, maxBytes: number) {
  return bufferBody(stream, maxBytes, MAX_UPLOAD_MS).catch(() => {
    throw brokenOff()
  })
}

/** The client has disconnected, so this problem is seen only in the journal. */
export function brokenOff(): Problem {
  return new Problem('MALFORMED_REQUEST', 'The client aborted its request.')
}

export function settled(body: Uint8Array | undefined): Upload {
  return { body: body ?? null, bytes: () => body, isWhole: () => true }
}

function running({ stream, bytes }: Copy): Upload {
  return { body: stream, bytes, isWhole: () => bytes() !== undefined }
}
