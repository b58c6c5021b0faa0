import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Nonet, start } from '../../src/host/start.ts'
import { post, siteOf, video } from '../contract/statuses-site.ts'

const CLIENTS = 300
const DEADLINE_MS = 60_000
const DESCRIPTORS = '/proc/self/fd'

function countOpen(hash: string): number {
  const targets = readdirSync(DESCRIPTORS).map((name) => {
    try {
      return readlinkSync(`${DESCRIPTORS}/${name}`)
    } catch {
      return ''
    }
  })
  return targets.filter((target) => target.endsWith(hash)).length
}

describe('I-7, clients that disconnect', { skip: !existsSync(DESCRIPTORS) }, () => {
  let nonet: Nonet<'statuses'>
  let hash: string
  before(async () => {
    nonet = await start({ services: ['statuses'] })
    const site = siteOf(nonet)
    const file = await site.file(video(500_000))
    hash = file.hash
    const media = [
      { type: 'video' as const, file, width: 1, height: 1, sourceKey: 'video', durationMs: 1 }
    ]
    await site.posts(await site.account(), post('20', { media }))
  })
  after(() => nonet.stop())

  test('no file stays open, whenever they disconnect', async () => {
    const { hostname, port } = new URL(nonet.statuses.url)
    const request = `GET /media/${hash}.mp4 HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`
    for (let i = 0; i < CLIENTS; i++) {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(request)
      // From before the request is read to after the response has begun.
      for (let turn = 0; turn < i % 30; turn++) await new Promise(setImmediate)
      socket.resetAndDestroy()
    }
    const end = performance.now() + DEADLINE_MS
    while (countOpen(hash) > 0 && performance.now() < end) await delay(50)
    assert.equal(countOpen(hash), 0)
  })
})
