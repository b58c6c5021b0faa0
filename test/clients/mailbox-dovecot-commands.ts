/**
 * The sandbox responds like Dovecot: 60 random sequences of IMAP commands of two clients, with
 * NONET_TEST_EFFORT=10 2,000. `test/support/mailbox-sequences.ts` generates them, and
 * `mailbox-normalise.ts` says what is not compared.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { DOVECOT_PASSWORD, type Dovecot, openDovecot } from '../support/dovecot.ts'
import { EFFORT } from '../support/effort.ts'
import { ENGINES } from '../support/engine-names.ts'
import { type ImapAccount, type Mismatch, openComparison } from '../support/mailbox-comparison.ts'
import { explain } from '../support/mailbox-differences.ts'
import { openSandbox, type Sandbox } from '../support/mailbox-sandbox.ts'
import { randomSequence } from '../support/mailbox-sequences.ts'
import { createRandom } from '../support/random.ts'
import './mailbox-dovecot-normalise.ts'

const SEQUENCES = EFFORT > 1 ? 200 * EFFORT : 60
const SHOWN = 3
/** Accounts whose sequences are played at the same time. */
const LANES = 4
/** Comma-separated numbers of sequences to play instead of all. */
const CHOSEN = process.env.NONET_TEST_SEQUENCES

describe('IMAP commands on Dovecot and on the sandbox', () => {
  let dovecot: Dovecot
  const sandboxes: Sandbox[] = []
  before(async () => {
    dovecot = await openDovecot()
    for (const engine of ENGINES) {
      sandboxes.push(await openSandbox({ sandboxMessages: 1_000_000 }, engine))
    }
  })
  after(async () => {
    for (const sandbox of sandboxes) await sandbox[Symbol.asyncDispose]()
    await dovecot.close()
  })

  test(`${SEQUENCES} sequences have the same responses`, async () => {
    const numbers =
      CHOSEN === undefined
        ? Array.from({ length: SEQUENCES }, (_, number) => number)
        : CHOSEN.split(',').map(Number)
    const mismatches = new Map<number, Mismatch>()
    const lanes = Array.from({ length: LANES }, async (_, lane) => {
      const comparison = openComparison(await accountsOf(lane), explain)
      for (const number of numbers.filter((_, index) => index % LANES === lane)) {
        const mismatch = await comparison.play(randomSequence(createRandom(number), `s${number}z`))
        if (mismatch !== undefined) mismatches.set(number, mismatch)
      }
      comparison.close()
    })
    await Promise.all(lanes)
    assert.ok(mismatches.size === 0, describeAll(mismatches))
  })

  /** The last lane uses the last engine. */
  async function accountsOf(lane: number): Promise<readonly [ImapAccount, ImapAccount]> {
    const sandbox = lane === LANES - 1 ? sandboxes.at(-1) : sandboxes[0]
    assert.ok(sandbox)
    const { user, password } = await sandbox.addAccount()
    return [
      {
        name: 'Dovecot',
        port: dovecot.imapPort,
        user: `lane${lane}@example.test`,
        password: DOVECOT_PASSWORD
      },
      { name: 'sandbox', port: sandbox.imapPort, user, password }
    ]
  }
})

function describeAll(mismatches: ReadonlyMap<number, Mismatch>): string {
  const all = [...mismatches].sort(([a], [b]) => a - b)
  const summary = all.map(([number, { command, only }]) => {
    const [dovecot, sandbox] = only.map((lines) => lines.flatMap((line) => line.split(', ')))
    const show = (items: readonly string[] = [], others: readonly string[] = []) =>
      items.filter((item) => !others.includes(item)).join(', ')
    return `${number}: ${command}\n  Dovecot: ${show(dovecot, sandbox)}\n  sandbox: ${show(sandbox, dovecot)}`
  })
  const logs = all.slice(0, SHOWN).map(([number, { log }]) => `--- ${number}\n${log}`)
  return [`${all.length} sequences differ`, ...summary, ...logs].join('\n')
}
