import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { type Finished, launchLoadedNonet, runNonet, temporaryFolder } from '../support/launcher.ts'

const SECRET = /^nnt_[0-9A-Za-z]{43}\n$/
const ACCOUNT = ['--account', 'ada', '--new-account']

interface Listed {
  id: string
  name: string
  scopes: string[]
  bindings: string[]
  expiresAt: string | null
  replacedBy: string | null
  state: string
}

/** Where the data is, as flags; PostgreSQL with an empty folder. */
async function openStorage(engine: (typeof ENGINES)[number]) {
  const folder = temporaryFolder()
  const data = ['--data', join(folder.path, 'data')]
  const database = engine === 'postgres' ? await temporaryDatabase() : undefined
  return {
    data: database === undefined ? data : [...data, '--database', database.url],
    folder,
    async [Symbol.asyncDispose]() {
      await database?.[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    }
  }
}

const token = (data: readonly string[], ...args: string[]): Promise<Finished> =>
  runNonet(['token', ...args, ...data])

async function listed(data: readonly string[]): Promise<Listed[]> {
  const { code, stdout, stderr } = await token(data, 'list', 'statuses', '--json')
  assert.deepEqual([code, stderr], [0, ''])
  return JSON.parse(stdout).tokens
}

for (const engine of ENGINES) {
  describe(`nonet token, on ${engine}`, () => {
    test('works without a running nonet: the secret is alone on stdout, and shown once', async () => {
      await using storage = await openStorage(engine)
      const { data } = storage
      const flags = ['--name', 'laptop', '--expires', '30d', '--scope', 'write', '--scope', 'read']
      const created = await token(data, 'create', 'statuses', ...ACCOUNT, ...flags)
      assert.equal(created.code, 0, created.stderr)
      assert.match(created.stdout, SECRET)
      const secret = created.stdout.trim()
      assert.match(
        created.stderr,
        /^Created the token [0-9a-f]{16} of statuses: read, write; bound to ada;/
      )
      const tokens = await listed(data)
      const [{ id, bindings, expiresAt, ...facts } = assert.fail()] = tokens
      assert.deepEqual([tokens.length, bindings.length], [1, 1])
      assert.match(bindings[0] ?? '', /^\d{19}$/)
      const days = (Date.parse(expiresAt ?? '') - Date.now()) / 86_400_000
      assert.ok(days > 29.9 && days <= 30)
      assert.deepEqual(
        [facts.name, facts.scopes, facts.state],
        ['laptop', ['read', 'write'], 'active']
      )
      const json = await token(data, 'create', 'statuses', '--scope=read', '--json')
      assert.equal(json.stderr, '')
      const { secret: second, token: made } = JSON.parse(json.stdout)
      assert.match(`${second}\n`, SECRET)
      assert.deepEqual([made.scopes, made.bindings, made.expiresAt], [['read'], bindings, null])
      const list = await token(data, 'list', 'statuses')
      assert.match(list.stdout, /^ID +NAME +SCOPES +BOUND TO +CREATED +LAST USED +EXPIRES +STATE\n/)
      assert.match(list.stdout, new RegExp(`\n${id}  laptop  read,write .*  active\n`))
      for (const hidden of [secret, second, 'nnt_', 'digest']) {
        assert.ok(!`${list.stdout}${JSON.stringify(tokens)}`.includes(hidden), hidden)
      }
      const revoked = await token(data, 'revoke', 'statuses', id)
      assert.deepEqual(revoked, {
        code: 0,
        stdout: `Revoked the token ${id} of statuses\n`,
        stderr: ''
      })
      assert.deepEqual(
        (await listed(data)).map(({ state }) => state),
        ['revoked', 'active']
      )
    })

    test('works through a running nonet, whose log has no secret', async () => {
      await using storage = await openStorage(engine)
      const { data } = storage
      await using nonet = await launchLoadedNonet(['statuses', ...data])
      // The command finds the database of the running process.
      const folder = data.slice(0, 2)
      const created = await token(folder, 'create', 'statuses', ...ACCOUNT, '--name=a')
      assert.equal(created.code, 0, created.stderr)
      const secret = created.stdout.trim()
      const [old = assert.fail()] = await listed(folder)
      const replace = ['--replace', old.id, '--overlap', '1h']
      const next = await token(folder, 'create', 'statuses', ...replace)
      assert.match(next.stdout, SECRET)
      const [rotated, successor] = await listed(folder)
      assert.deepEqual([rotated?.state, rotated?.replacedBy], ['rotated', successor?.id])
      assert.deepEqual([successor?.name, successor?.bindings], ['a', old.bindings])
      assert.equal((await token(folder, 'revoke', 'statuses', old.id)).code, 0)
      assert.equal((await listed(folder))[0]?.state, 'revoked')
      const headers = { authorization: `Bearer ${secret}` }
      await fetch(`${nonet.ready.services.statuses}/?token=${secret}`, { headers })
      const { stdout, stderr } = await nonet.end()
      assert.match(stdout, /"path":"\/"/)
      assert.ok(!`${stdout}${stderr}`.includes(secret.slice(4)))
    })
  })
}

test('two processes on PostgreSQL: a revocation by one counts at once in the other', async () => {
  await using database = await temporaryDatabase()
  using folder = temporaryFolder()
  const flags = (name: string) => ['--data', join(folder.path, name), '--database', database.url]
  await using one = await launchLoadedNonet(['statuses', ...flags('one')])
  await using other = await launchLoadedNonet(['statuses', ...flags('other')])
  const urlOf = (nonet: typeof one) => `${nonet.ready.console}/statuses/tokens`
  const body = JSON.stringify({ flags: { account: 'ada', 'new-account': true } })
  const headers = { 'content-type': 'application/json' }
  const created = await fetch(urlOf(one), { method: 'POST', headers, body })
  const { secret, token: made } = await created.json()
  const authorised = { headers: { authorization: `Bearer ${secret}` } }
  const ask = async (nonet: typeof one) =>
    (await fetch(`${nonet.ready.services.statuses}/api/statuses`, authorised)).status
  assert.deepEqual([await ask(one), await ask(other)], [200, 200])
  assert.equal((await fetch(`${urlOf(one)}/${made.id}`, { method: 'DELETE' })).status, 200)
  // The first request after the revocation, so that no time is measured.
  assert.deepEqual([await ask(other), await ask(one)], [401, 401])
  const { tokens } = await (await fetch(urlOf(other))).json()
  assert.equal(tokens[0].state, 'revoked')
})

test('a wrong command line is one line with exit code 2, and creates nothing', async () => {
  using folder = temporaryFolder()
  const data = ['--data', join(folder.path, randomBytes(4).toString('hex'))]
  const rejected: readonly [args: string[], line: RegExp][] = [
    [[], /Missing create, list or revoke/],
    [['crate', 'statuses'], /Unknown word crate after token; did you mean create\?/],
    [['create'], /Missing service name/],
    [['create', 'statsues'], /Unknown service statsues; did you mean statuses\?/],
    [['create', 'boxes'], /boxes has no tokens; services with tokens: mailbox, statuses, cards/],
    [['create', 'statuses', '--scope', 'wirte'], /Unknown scope wirte; did you mean write\?/],
    [['create', 'statuses', '--scope', 'everything'], /Unknown scope everything; the scopes are/],
    [['create', 'statuses', '--exprires', '1d'], /Unknown flag --exprires .*--expires/],
    [['create', 'statuses', '--expires', 'soon'], /--expires soon: use a duration/],
    [['create', 'statuses', '--expires', '2001-01-01'], /--expires 2001-01-01: use/],
    [['create', 'statuses', '--overlap', '1h'], /--overlap needs --replace/],
    [['create', 'statuses', '--replace', 'a', '--account', 'b'], /cannot be combined/],
    [['create', 'statuses', 'more'], /Unexpected argument: more/],
    [['list', 'statuses', '--scope', 'read'], /token list: --scope is not supported/],
    [['revoke', 'statuses'], /Missing id of the token/]
  ]
  for (const [args, line] of rejected) {
    const { code, stdout, stderr } = await token(data, ...args)
    assert.deepEqual([code, stdout], [2, ''], `${args.join(' ')}: ${stderr}`)
    assert.match(stderr, /^nonet: [^\n]+\n$/)
    assert.match(stderr, line)
  }
})

test('what the data does not allow is one sentence', async () => {
  await using storage = await openStorage('sqlite')
  async function check(args: readonly string[], code: number, line: RegExp) {
    const finished = await token(storage.data, ...args)
    assert.deepEqual([finished.code, finished.stdout], [code, ''], args.join(' '))
    assert.match(finished.stderr, /^nonet: [^\n]+\n$/)
    assert.match(finished.stderr, line)
  }
  await check(['list', 'statuses'], 1, /Data folder .* does not exist/)
  await check(['create', 'statuses'], 1, /There is no account; add one with --new-account/)
  await check(['create', 'statuses', '--new-account'], 2, /A new account needs a user name/)
  await check(['revoke', 'statuses', 'none'], 1, /There is no token none/)
})
