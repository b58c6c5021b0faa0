import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Account, AccountSecrets, NewAccount } from '../accounts/account.ts'
import { createAccountStates } from './account-states.ts'
import { ConnectError } from './connect.ts'

const DAY_MS = 24 * 60 * 60_000
const WRONG = { response: 'Wrong password', serverResponseCode: 'AUTHENTICATIONFAILED' }

const ACCOUNT: Account = {
  id: 'a',
  name: 'A',
  email: 'a@b.test',
  isSandbox: false,
  settings: { imap: { host: 'b.test', port: 993, secure: true, auth: { user: 'a' } } },
  state: 'init',
  lastError: undefined,
  smtpStatus: undefined,
  egress: 'any',
  revision: 1,
  createdAt: 0,
  syncTime: undefined
}

function recorded(account = ACCOUNT) {
  const written: string[] = []
  const saved: NewAccount[] = []
  let time = Date.UTC(2026, 0, 1)
  const secrets: AccountSecrets = { imapPass: 'secret' }
  const states = createAccountStates(
    {
      async setState(_id, state, error) {
        written.push(`${state} ${error?.since ?? '-'}`)
      },
      async save(_id, change) {
        const next = change({ account, secrets })
        assert.equal(next.secrets, secrets)
        saved.push(next.account)
        return 'existing'
      }
    },
    account,
    () => new Date(time)
  )
  const pass = (ms: number) => {
    time += ms
  }
  return { states, written, saved, pass }
}

test('states are stored in their order; an error stays while another attempt is made', async () => {
  const { states, written } = recorded()
  states.connecting()
  await states.failed(new ConnectError('connectError', { response: 'Gone' }))
  states.connecting()
  await states.connected()
  states.connecting()
  await states.connected()
  const since = '2026-01-01T00:00:00.000Z'
  const first = ['connecting -', `connectError ${since}`, `connecting ${since}`, 'connected -']
  assert.deepEqual(written.slice(0, 4), first)
})

test('IMAP is disabled after the same sign-in error for three days', async () => {
  const { states, written, saved, pass } = recorded()
  await states.failed(new ConnectError('authenticationError', WRONG))
  pass(3 * DAY_MS - 1)
  await states.failed(new ConnectError('authenticationError', WRONG))
  assert.equal(saved.length, 0)
  pass(1)
  await states.failed(new ConnectError('authenticationError', WRONG))
  assert.deepEqual(
    saved.map(({ settings }) => settings.imap),
    [{ ...ACCOUNT.settings.imap, disabled: true }]
  )
  assert.equal(written.at(-1), 'unset 2026-01-01T00:00:00.000Z')
})

test('the error of a process that has ended counts, another error or a success does not', async () => {
  const since = '2025-12-01T00:00:00.000Z'
  const failing = { ...ACCOUNT, lastError: { ...WRONG, since } }
  const restarted = recorded(failing)
  await restarted.states.failed(new ConnectError('authenticationError', WRONG))
  assert.equal(restarted.saved.length, 1)
  const changed = recorded(failing)
  await changed.states.failed(new ConnectError('authenticationError', { response: 'Other' }))
  assert.equal(changed.saved.length, 0)
  const recovered = recorded(failing)
  await recovered.states.connected()
  await recovered.states.failed(new ConnectError('authenticationError', WRONG))
  assert.equal(recovered.saved.length, 0)
})

test('a server that cannot be reached for three days stays enabled', async () => {
  const { states, saved, pass } = recorded()
  await states.failed(new ConnectError('connectError', { response: 'Gone' }))
  pass(10 * DAY_MS)
  await states.failed(new ConnectError('connectError', { response: 'Gone' }))
  assert.equal(saved.length, 0)
})
