import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { launchNonet } from '../support/launcher.ts'
import { countDescriptors, openRaw, withDescriptors } from '../support/limited-process.ts'
import { sendRaw } from '../support/raw-socket.ts'

const DEADLINE_MS = 60_000
const DESCRIPTORS = 512
const SILENT = 700

test('700 silent sockets at ulimit -n 512: honest requests pass', async () => {
  const launcher = withDescriptors(DESCRIPTORS)
  await using nonet = await launchNonet(['boxes', 'reference', '--ephemeral', '--quiet'], {
    launcher
  })
  const { boxes = '', reference = '' } = nonet.ready.services
  const silent = Array.from({ length: SILENT }, (_, n) => openRaw(n % 2 ? boxes : reference, ''))
  // Those above the limit are closed.
  const deadline = performance.now() + DEADLINE_MS
  while (silent.filter(({ isClosed }) => isClosed).length < SILENT - DESCRIPTORS) {
    assert.ok(performance.now() < deadline, 'silent sockets are closed')
    await wait(20)
  }
  for (let n = 0; n < 20; n++) {
    const request = 'GET /api/people/1/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    const { statuses } = await sendRaw(reference, [request], DEADLINE_MS)
    assert.deepEqual(statuses, [200])
    const stored = await fetch(`${boxes}/descriptors`, { method: 'POST', body: `{"n":${n}}` })
    assert.equal(stored.status, 200)
  }
  if (process.platform === 'linux') {
    const used = countDescriptors(nonet.ready.pid)
    assert.ok(used < DESCRIPTORS - 64, `${used} descriptors`)
  }
  for (const { socket } of silent) socket.destroy()
  const { code, stderr } = await nonet.end()
  assert.deepEqual([code, stderr], [0, ''])
})
