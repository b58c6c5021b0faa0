import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processOf, sessionName } from './lock-sessions.ts'

const STARTED = { startedAt: 1_790_000_000_000, isThisProcess: true }

test('the name of a session tells the process, its host and its start', () => {
  const name = sessionName({ pid: 4211, host: 'mail-1.example.com', ...STARTED })
  assert.equal(name, 'nonet 4211@mail-1.example.com 1790000000000')
  const { startedAt } = STARTED
  assert.deepEqual(processOf(name), { pid: 4211, host: 'mail-1.example.com', startedAt })
})

test('a host name of any length and with any character fits into the name of a session', () => {
  const hosts = ['', 'x'.repeat(253), "o'brien host; drop", 'büro\n😀', '\0']
  for (const host of hosts) {
    const name = sessionName({ pid: 4_194_304, host, ...STARTED })
    assert.match(name, /^[\w.@ -]{1,63}$/)
    assert.equal(processOf(name)?.pid, 4_194_304, host)
    assert.equal(processOf(name)?.startedAt, STARTED.startedAt, host)
  }
})

test('a session of another program is not taken for one of nonet', () => {
  for (const name of ['', 'psql', 'nonet', 'nonet 1@host', 'nonet x@host 1', 'my nonet 1@host 1']) {
    assert.equal(processOf(name), undefined, name)
  }
})
