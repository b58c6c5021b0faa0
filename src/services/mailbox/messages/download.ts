import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FetchMessageObject, FetchQueryObject, ImapFlow } from 'imapflow'
import { connectionLost } from '../connections/contract.ts'
import {
  createTransferDecoder,
  type TransferDecoder
} from '../sandbox/message/transfer-decoding.ts'
import { DownloadTooLarge } from './contract.ts'
import { fetchUid } from './fetch.ts'
import type { MessageLeaf } from './structure.ts'

/** Of what is sent. */
export const MAX_DOWNLOAD_BYTES = 250 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024

/** A part of a message of the selected mailbox. */
export interface DownloadSource {
  readonly client: Pick<ImapFlow, 'fetchAll'>
  readonly uid: number
  readonly query: (start: number, length: number) => FetchQueryObject
  readonly contentOf: (message: FetchMessageObject) => Buffer | undefined
  /** Encoded bytes, as the server says. */
  readonly size: number
}

/** The encoded bytes of a part. */
export function partSource(
  client: DownloadSource['client'],
  uid: number,
  { number, size }: Pick<MessageLeaf, 'number' | 'size'>
): DownloadSource {
  return {
    ...{ client, uid, size },
    query: (start, maxLength) => ({ bodyParts: [{ key: number, start, maxLength }] }),
    contentOf: ({ bodyParts }) => bodyParts?.get(number)
  }
}

/** The bytes of a whole message. */
export function messageSource(client: ImapFlow, uid: number, size: number): DownloadSource {
  return {
    ...{ client, uid, size },
    query: (start, maxLength) => ({ source: { start, maxLength } }),
    contentOf: ({ source }) => source
  }
}

/**
 * The encoded bytes in pieces. Some servers ignore the range and send everything at once. A server
 * that repeats the same piece without end is stopped after twice the size that it reported.
 */
export async function* readChunks(source: DownloadSource): AsyncGenerator<Buffer> {
  const most = 2 * source.size + CHUNK_BYTES
  for (let start = 0; start <= most; start += CHUNK_BYTES) {
    const message = await fetchUid(source.client, source.uid, source.query(start, CHUNK_BYTES))
    if (message === undefined) throw connectionLost('The message was removed while it was read')
    const bytes = source.contentOf(message)
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) return
    yield bytes
    if (bytes.length !== CHUNK_BYTES) return
  }
  throw connectionLost('The mail server sends more than the message has')
}

/** The decoded bytes of a part of the selected mailbox; undefined if there are more than `most`. */
export async function readPart(
  client: DownloadSource['client'],
  uid: number,
  leaf: Pick<MessageLeaf, 'number' | 'size' | 'encoding'>,
  most: number
): Promise<Buffer | undefined> {
  const decoder = createTransferDecoder(leaf.encoding)
  const pieces: Buffer[] = []
  let length = 0
  for await (const bytes of readChunks(partSource(client, uid, leaf))) {
    const piece = decoder.write(bytes)
    length += piece.length
    if (length > most) return undefined
    pieces.push(piece)
  }
  const content = Buffer.concat([...pieces, decoder.end()])
  return content.length > most ? undefined : content
}

export interface DownloadTarget {
  readonly response: ServerResponse
  readonly headers: Readonly<Record<string, string>>
  readonly decoder: TransferDecoder
}

/** Sends the decoded bytes as they arrive. An error after the head closes the connection. */
export async function sendChunks(
  source: DownloadSource,
  { response, headers, decoder }: DownloadTarget
): Promise<void> {
  const chunks = readChunks(source)
  // The first piece is read before the head is sent, so that an error has a status.
  let next = await chunks.next()
  if (response.destroyed) return
  response.writeHead(200, headers)
  let sent = 0
  while (next.done !== true) {
    const bytes = decoder.write(next.value)
    sent += bytes.length
    if (sent > MAX_DOWNLOAD_BYTES) throw new DownloadTooLarge(MAX_DOWNLOAD_BYTES)
    await write(response, bytes)
    if (response.destroyed) return
    next = await chunks.next()
  }
  response.end(decoder.end())
}

async function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  if (bytes.length === 0 || response.write(bytes) || response.destroyed) return
  const ended = new AbortController()
  const { signal } = ended
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  } finally {
    ended.abort()
  }
}
