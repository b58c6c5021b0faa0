import type { ServerResponse } from 'node:http'
import type { OutgoingResponse } from '../engine/exchange.ts'
import { bytesOf } from '../message.ts'
import { discard } from '../proxy/discard.ts'
import type { FaultName } from './faults.ts'
import type { Hanging } from './hanging.ts'
import { headLines } from './write-response.ts'

/** Bytes without an encoding or format: 0xC0 and 0xFF never occur in UTF-8. */
const GARBAGE = Buffer.from(Array.from({ length: 256 }, (_, index) => (index % 2 ? 0xff : 0xc0)))

/** Simulates a fault instead of sending the response. */
export function commitFault(
  fault: FaultName,
  response: ServerResponse,
  prepared: OutgoingResponse,
  hanging: Hanging
): void {
  discard(prepared.stream)
  const { socket } = response
  if (socket === null) return
  switch (fault) {
    case 'reset':
      socket.resetAndDestroy()
      return
    case 'empty':
      socket.destroy()
      return
    case 'hang':
    case 'timeout':
      hanging.keep(socket)
      return
    case 'garbage':
      breakOff(response, prepared, GARBAGE, GARBAGE.length)
      return
    case 'truncate': {
      const whole = bytesOf(prepared.body ?? '')
      breakOff(response, prepared, whole.subarray(0, whole.length >> 1), whole.length || 1)
    }
  }
}

/** Sends headers that announce `length` bytes, then `sent`, and closes the connection. */
function breakOff(
  response: ServerResponse,
  prepared: OutgoingResponse,
  sent: Buffer,
  length: number
): void {
  const { 'content-length': _, ...headers } = prepared.headers
  const { lines } = headLines(headers)
  const { socket } = response
  response.shouldKeepAlive = false
  response.strictContentLength = false
  response.writeHead(prepared.status, [...lines, 'content-length', String(length)])
  response.flushHeaders()
  response.write(sent, () => socket?.destroySoon())
}
