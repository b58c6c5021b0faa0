import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import type { Files } from '../files/files.ts'

const LINES = { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store' }
const FILE = { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' }

/** An error ends the response before its last line, which the export command then misses. */
export async function sendExportLines(
  reply: FastifyReply,
  lines: AsyncIterable<string>,
  total: number
): Promise<void> {
  reply.hijack()
  await pipeline(lines, reply.raw.writeHead(200, { ...LINES, 'x-total-count': String(total) }))
}

/** For operators only: any stored file, also those that are not public. False if it is not stored. */
export async function sendExportFile(
  files: Files,
  hash: string,
  reply: FastifyReply
): Promise<boolean> {
  const opened = await files.open(hash)
  if (opened === undefined) return false
  reply.hijack()
  await pipeline(opened.stream, reply.raw.writeHead(200, FILE)).catch(() => {
    opened.stream.destroy()
  })
  return true
}
