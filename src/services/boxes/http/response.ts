import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { COMMON_HEADERS, JSON_TYPE } from '../contract.ts'

const BARE_HEADERS = Object.entries(COMMON_HEADERS).flat()
const JSON_HEADERS = [...BARE_HEADERS, 'content-type', JSON_TYPE]

/** JSON text with status 200, which clients of the original compare to the letter. */
export function sendJson(reply: FastifyReply, text: string, headers: readonly string[] = []): void {
  const length = String(Buffer.byteLength(text))
  // A text, not bytes: it leaves in one piece with its headers.
  startJson(reply, [...headers, 'content-length', length]).end(text)
}

/** The same, with the text to follow. */
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
