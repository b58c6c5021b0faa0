import type * as http from 'node:http'

/**
 * `node:http` for code that runs at every start. To import it as a module reads all that it
 * exports, and with WebSocket comes the whole HTTP client: 65 ms and 14 MB that nobody uses.
 */
export const { createServer, METHODS, ServerResponse, STATUS_CODES, validateHeaderName } =
  process.getBuiltinModule('node:http')
export type ServerResponse = http.ServerResponse
