import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { COMMON_HEADERS, JSON_TYPE } from '../contract.ts'

const BARE_HEADERS = Object.entries(COMMON_HEADERS).flat()
const JSON_HEADERS = [...BARE_HEADERS, 'content-type', JSON_TYPE]

/** Sends JSON with status 200, also for new records, as jsonbox.io does. */
export function sendJson(reply: FastifyReply, text: string, headers: readonly string[] = []): void {
  const length = String(Buffer.byteLength(text))
  // A string, not a buffer: Node.js sends it in one write with the headers.
  startJson(reply, [...headers, 'content-length', length]).end(text)
}

/** Sends status 200 and the headers; the caller writes the JSON. */
export function startJson(reply: FastifyReply, headers: readonly string[]): ServerResponse {
  reply.hijack()
  return reply.raw.writeHead(200, [...JSON_HEADERS, ...headers])
}

export function sendMessage(
  reply: FastifyReply,
  message: string,
  headers: readonly string[] = []
): void {
  sendJson(reply, JSON.stringify({ message }), headers)
}

export function sendUnchanged(reply: FastifyReply, headers: readonly string[]): void {
  reply.hijack()
  reply.raw.writeHead(304, [...BARE_HEADERS, ...headers]).end()
}
