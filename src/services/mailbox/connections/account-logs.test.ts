import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Account } from '../accounts/account.ts'
import { DEFAULTS } from '../control/open-settings.ts'
import { createAccountLogs } from './account-logs.ts'

const ACCOUNT: Account = {
  id: 'a',
  name: 'A',
  email: undefined,
  isSandbox: false,
  settings: { logs: true },
  state: 'init',
  lastError: undefined,
  smtpStatus: undefined,
  egress: 'any',
  revision: 1,
  createdAt: 0,
  syncTime: undefined
}

async function unavailable(): Promise<never> {
  throw new Error('The database is unavailable')
}

test('lines that cannot be stored are no error, because nothing waits for them', async () => {
  const database = { write: unavailable }
  let isAvailable = true
  const logs = createAccountLogs(
    { database, now: () => new Date() },
    { read: () => (isAvailable ? Promise.resolve(DEFAULTS) : unavailable()) }
  )
  const log = await logs.open(ACCOUNT)
  log?.write({ direction: 'S', text: '* OK' })
  await assert.doesNotReject(logs.flush())
  log?.write({ direction: 'S', text: '* OK' })
  isAvailable = false
  await assert.doesNotReject(logs.flush())
})

test('a flush waits for the lines that an earlier one stores', async () => {
  const { promise: isStored, reject } = Promise.withResolvers<never>()
  const done: string[] = []
  const logs = createAccountLogs(
    {
      database: { write: () => isStored.finally(() => done.push('first')) },
      now: () => new Date()
    },
    { read: async () => DEFAULTS }
  )
  const log = await logs.open(ACCOUNT)
  log?.write({ direction: 'S', text: '* OK' })
  const first = logs.flush()
  const second = logs.flush().then(() => done.push('second'))
  setImmediate(reject, new Error('The database is unavailable'))
  await Promise.all([first, second])
  assert.deepEqual(done, ['first', 'second'])
})
