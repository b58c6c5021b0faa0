import { unbroken } from '../http/body.ts'
import { DROPPED } from '../http/response.ts'
import { defineScenario, readWhole, wholeOf } from './definition.ts'

/** Implemented where bodies are read. */
export const uploadSlow = defineScenario<number>({
  name: 'upload-slow',
  usage: 'upload-slow[:bytesPerSec]',
  about:
    'the request body is read at that rate (default 65536 bytes per second), for testing progress bars',
  example: 'POST /api/users?scenario=upload-slow:1000 {"name":"morpheus"}',
  read: readWhole(65_536, 1, 1_000_000_000)
})

export const uploadFail = defineScenario<number>({
  name: 'upload-fail',
  usage: 'upload-fail[:percent]',
  about: 'the connection is dropped after that percentage of the body (default 50)',
  example: 'POST /api/users?scenario=upload-fail:50 {"name":"morpheus"}',
  read: readWhole(50, 0, 100),
  async before(call, percent) {
    const { request } = call
    const length = Number(request.headers['content-length'] ?? 0)
    const isChunked = request.headers['transfer-encoding'] !== undefined
    if (length === 0 && !isChunked) return undefined
    call.applied.add('upload-fail')
    const enough = (length * percent) / 100
    let arrived = 0
    if (enough > 0 || isChunked) {
      for await (const chunk of unbroken(request)) {
        arrived += chunk.length
        if (arrived >= enough) break
      }
    }
    return DROPPED
  }
})

/** Implemented where events are sent. */
export const sseDrop = defineScenario<number>({
  name: 'sse-drop',
  usage: 'sse-drop[:n]',
  about: 'event streams are closed after n messages (default 3)',
  example: 'GET /api/events?interval=200&count=10&scenario=sse-drop:3',
  read: readWhole(3, 0, 1_000_000)
})

export const wsClose = defineScenario<number>({
  name: 'ws-close',
  usage: 'ws-close[:code]',
  about: 'a WebSocket is closed with that code (default 1011) after its first message',
  example: 'GET /api/ws?scenario=ws-close:1011',
  read: (args) => {
    if (args.length > 1) return undefined
    const text = args[0] ?? '1011'
    const code = wholeOf(text, 1000, 1014) ?? wholeOf(text, 3000, 4999)
    // Codes that RFC 6455, section 7.4, reserves cannot be sent.
    return code === undefined || [1004, 1005, 1006].includes(code) ? undefined : code
  }
})
