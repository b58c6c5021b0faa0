/** One client holds as many responses back as it may: others still get theirs. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Launched, launchNonet } from '../support/launcher.ts'
import { openRaw, withDescriptors } from '../support/limited-process.ts'

const DEADLINE_MS = 60_000
/** 64 connections, of which 32 may be held, 24 of them for one address. */
const DESCRIPTORS = 128
const BY_ADDRESS = 24
const OTHER_ADDRESS = '127.0.0.2'

/** Of each kind, a request whose response is held back, and the error above the limit. */
const KINDS: Readonly<Record<string, readonly [string, string, RegExp]>> = {
  'event streams of boxes': [
    'boxes',
    'GET /live HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n',
    /"code":"too_many_streams"/
  ],
  'long polls of boxes': [
    'boxes',
    'GET /_changes/live?since=now&wait=60 HTTP/1.1\r\nHost: a\r\n\r\n',
    /"code":"too_many_streams"/
  ],
  'delays of scenarios': [
    'scenarios',
    'GET /api/users?scenario=hang HTTP/1.1\r\nHost: a\r\n\r\n',
    /from your IP address; see --scenarios-max-held/
  ],
  'event streams of scenarios': [
    'scenarios',
    'GET /api/events?interval=60000 HTTP/1.1\r\nHost: a\r\n\r\n',
    /from your IP address; see --scenarios-max-held/
  ],
  'delays of mock': [
    'mock',
    'GET /beds HTTP/1.1\r\nHost: a\r\nPrefer: delay=600000\r\n\r\n',
    /"code":"TOO_MANY_HELD"/
  ],
  'hanging requests of mock': [
    'mock',
    'GET /beds HTTP/1.1\r\nHost: a\r\nPrefer: fault=hang\r\n\r\n',
    /"code":"TOO_MANY_HELD"/
  ]
}

describe('responses that are held back', () => {
  let nonet: Launched
  before(async () => {
    const args = ['boxes', 'scenarios', 'mock', '--ephemeral', '--quiet']
    nonet = await launchNonet(args, { launcher: withDescriptors(DESCRIPTORS) })
  })
  after(() => nonet.end())

  for (const [name, [service, request, error]] of Object.entries(KINDS)) {
    test(`${name}: one address cannot take all`, async () => {
      const url = nonet.ready.services[service] ?? ''
      const held: ReturnType<typeof openRaw>[] = []
      const rejected = (one: ReturnType<typeof openRaw>) => one.text.startsWith('HTTP/1.1 503 ')
      const deadline = performance.now() + DEADLINE_MS
      // The requests of the test before may still count.
      while (held.length < BY_ADDRESS || !held.some(rejected)) {
        assert.ok(performance.now() < deadline, `${held.length} held, none rejected`)
        if (held.length - held.filter(rejected).length <= BY_ADDRESS)
          held.push(openRaw(url, request))
        await wait(20)
      }
      const last = held.find(rejected)
      assert.match(last?.text ?? '', error)
      const other = openRaw(url, request, OTHER_ADDRESS)
      const plain = await fetch(`${url}/`)
      assert.equal(plain.status < 500, true)
      // A held request has no answer, or only the start of one.
      assert.doesNotMatch(other.text, /^HTTP\/1\.1 503 /)
      for (const { socket } of [...held, other]) socket.destroy()
    })
  }
})
