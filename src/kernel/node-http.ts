import type * as http from 'node:http'

/**
 * `node:http` for code that runs at every start. An import would read every export, and the getter
 * of `WebSocket` loads the whole HTTP client: 65 ms and 14 MB that are not needed.
 */
export const {
  createServer,
  IncomingMessage,
  METHODS,
  ServerResponse,
  STATUS_CODES,
  validateHeaderName
} = process.getBuiltinModule('node:http')
export type IncomingMessage = http.IncomingMessage
export type ServerResponse = http.ServerResponse
