/** Tokens that operators create at the console, which `nonet token create mailbox` sends. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { type Answer, send } from '../support/contract.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { addAccount, type SandboxLogin } from '../support/mailbox-sandbox.ts'

for (const engine of ENGINES) {
  describe(`tokens of mailbox, on ${engine}`, () => {
    let nonet: Nonet<'mailbox'>
    let ada: SandboxLogin
    let bob: SandboxLogin
    before(async () => {
      nonet = await start({ services: ['mailbox'], ...engineOptions(engine) })
      ada = await addAccount(nonet.mailbox.url)
      bob = await addAccount(nonet.mailbox.url)
    })
    after(() => nonet.stop())

    const create = (flags: object): Promise<Answer> =>
      send(nonet.console?.url ?? '', {
        method: 'POST',
        path: '/mailbox/tokens',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ flags })
      })
    /** The accounts that a token sees. */
    const seenBy = async (secret: string): Promise<string[]> => {
      const headers = { authorization: `Bearer ${secret}` }
      const seen: string[] = []
      for (const { account } of [ada, bob]) {
        const path = `/v1/sandbox/accounts/${account}`
        const { status, text } = await send(nonet.mailbox.url, { path, headers })
        assert.ok([200, 404].includes(status), text)
        if (status === 200) seen.push(account)
      }
      return seen
    }

    test('--account binds to accounts by id or address, --admin to all', async () => {
      const cases: [flags: object, names: string[], sees: string[]][] = [
        [{ account: ada.account }, [ada.address], [ada.account]],
        [{ account: ` ${bob.address.toUpperCase()} ,` }, [bob.address], [bob.account]],
        [
          { account: `${ada.account},${bob.address},${ada.address}` },
          [ada.address, bob.address],
          [ada.account, bob.account]
        ],
        [{ admin: true }, ['all accounts'], [ada.account, bob.account]]
      ]
      for (const [flags, names, sees] of cases) {
        const { status, text } = await create(flags)
        assert.equal(status, 201, text)
        const { secret, token } = JSON.parse(text)
        assert.match(secret, /^[0-9a-f]{64}$/)
        assert.deepEqual(token.boundTo, names)
        assert.deepEqual(await seenBy(secret), sees)
      }
    })

    test('other flags create nothing', async () => {
      const cases: [flags: object, status: number, code: string][] = [
        [{}, 400, 'TOKEN_ACCOUNT_MISSING'],
        [{ account: ' , ' }, 400, 'TOKEN_ACCOUNT_MISSING'],
        [{ account: ada.account, admin: true }, 400, 'TOKEN_FLAGS_EXCLUSIVE'],
        [{ account: 'nobody' }, 404, 'TOKEN_ACCOUNT_UNKNOWN'],
        [{ account: `${ada.account},nobody@example.org` }, 404, 'TOKEN_ACCOUNT_UNKNOWN'],
        [
          { account: Array.from({ length: 101 }, (_, n) => n).join() },
          400,
          'TOKEN_ACCOUNTS_TOO_MANY'
        ]
      ]
      const url = `${nonet.console?.url}/mailbox/tokens`
      const before = await (await fetch(url)).text()
      for (const [flags, status, code] of cases) {
        const response = await create(flags)
        assert.deepEqual([response.status, JSON.parse(response.text).error], [status, code])
      }
      assert.equal(await (await fetch(url)).text(), before)
    })
  })
}
