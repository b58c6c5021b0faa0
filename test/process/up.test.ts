import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import {
  launchLoadedNonet,
  launchNonet,
  ROOT,
  runNonet,
  temporaryFolder
} from '../support/launcher.ts'
import { freePortBase } from '../support/ports.ts'

test('up serves every service, logs one JSON line per request in a pipe, and ends with 0', async () => {
  await using nonet = await launchNonet(['--ephemeral'])
  const { reference = '', forms = '' } = nonet.ready.services
  assert.equal((await fetch(`${reference}/api/people/1/?search=private`)).status, 200)
  assert.equal((await fetch(`${forms}/some/path`, { method: 'PUT' })).status, 500)
  const { code, stderr } = await nonet.end()
  assert.equal(code, 0)
  assert.equal(stderr, '')
  const lines = nonet
    .log()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    lines.map(({ service, method, path, status }) => ({ service, method, path, status })),
    [
      { service: 'reference', method: 'GET', path: '/api/people/1/', status: 200 },
      { service: 'forms', method: 'PUT', path: '/some/path', status: 500 }
    ]
  )
  assert.ok(
    lines.every(({ ms, time }) => typeof ms === 'number' && !Number.isNaN(Date.parse(time)))
  )
})

test('up loads only the services that it starts', async () => {
  const preload = pathToFileURL(join(ROOT, 'test/support/tell-modules.mjs')).href
  await using nonet = await launchLoadedNonet(['forms', '--ephemeral', '--quiet'], {
    env: { NODE_OPTIONS: `--import=${preload}` }
  })
  const { stderr } = await nonet.end()
  const mounted = [...stderr.matchAll(/\/services\/(\w+)\/mount\.ts/g)].map(([, name]) => name)
  assert.deepEqual(mounted, ['forms'])
})

test('what a person sent, and where it went, never reaches a log', async () => {
  await using nonet = await launchLoadedNonet(['forms', '--ephemeral'])
  const { forms = '' } = nonet.ready.services
  const secrets = ['ada.lovelace@example.org', 'Ada Lovelace']
  const [email, fullName] = secrets
  await fetch(`${forms}/?email=${email}`, {
    method: 'POST',
    body: JSON.stringify({ email, fullName })
  })
  await fetch(forms, { method: 'POST', body: `{"email":"${email}", broken` })
  const { stdout, stderr } = await nonet.end()
  for (const secret of secrets) assert.ok(!(stdout + stderr).includes(secret), secret)

  const hook = 'http://127.0.0.1:9/hooks/very-secret-hook'
  await using refused = await launchLoadedNonet(['forms', '--ephemeral', '--forms-webhook', hook])
  const answer = await fetch(refused.ready.services.forms ?? '', {
    method: 'POST',
    body: JSON.stringify({ email, fullName })
  })
  assert.equal(await answer.text(), 'Error: Webhook unreachable (ECONNREFUSED)')
  const ended = await refused.end()
  const line = `${ended.stdout}${ended.stderr}`
  for (const secret of [...secrets, 'very-secret-hook']) assert.ok(!line.includes(secret), secret)
})

test('a reader that goes away, as in nonet up | head, does not stop the server', async () => {
  await using nonet = await launchNonet(['reference', '--ephemeral'])
  nonet.child.stdout?.destroy()
  for (let i = 0; i < 3; i++) {
    assert.equal((await fetch(`${nonet.ready.services.reference}/api/people/1/`)).status, 200)
  }
  assert.equal((await nonet.end()).code, 0)
})

test('up with a name starts that service and the console only', async () => {
  await using nonet = await launchLoadedNonet(['reference', '--ephemeral'])
  assert.deepEqual(Object.keys(nonet.ready.services), ['reference'])
  assert.equal((await fetch(`${nonet.ready.console}/healthz`)).status, 200)
})

test('--no-console drops the console', async () => {
  await using nonet = await launchLoadedNonet(['reference', '--ephemeral', '--no-console'])
  assert.equal(nonet.ready.console, null)
})

test('forms without a webhook needs the console', async () => {
  const { code, stderr } = await runNonet([
    'up',
    'forms',
    '--ephemeral',
    '--no-console',
    '--port-base=0'
  ])
  assert.equal(code, 1)
  assert.match(stderr, /--forms-webhook/)
  assert.equal(stderr.trim().split('\n').length, 1)
})

test('a service answers on 127.0.0.1 and on ::1 with the same port', async () => {
  await using nonet = await launchLoadedNonet(['reference', '--ephemeral'])
  const { port } = new URL(nonet.ready.services.reference ?? '')
  for (const host of ['127.0.0.1', '[::1]']) {
    const root = (await (await fetch(`http://${host}:${port}/api/`)).json()) as { people: string }
    assert.equal(root.people, `http://${host}:${port}/api/people/`)
  }
})

test('the port base gives every service its port, and --port moves one', async () => {
  const base = await freePortBase()
  await using nonet = await launchLoadedNonet([
    `--port-base=${base}`,
    `--port=forms=${base + 10}`,
    `--port=mailbox-smtp=${base + 5}`,
    '--ephemeral'
  ])
  assert.equal(nonet.ready.console, `http://127.0.0.1:${base}`)
  assert.deepEqual(nonet.ready.services, {
    reference: `http://127.0.0.1:${base + 1}`,
    boxes: `http://127.0.0.1:${base + 2}`,
    countries: `http://127.0.0.1:${base + 3}`,
    scenarios: `http://127.0.0.1:${base + 4}`,
    forms: `http://127.0.0.1:${base + 10}`,
    mailbox: `http://127.0.0.1:${base + 6}`,
    statuses: `http://127.0.0.1:${base + 7}`,
    mock: `http://127.0.0.1:${base + 8}`,
    cards: `http://127.0.0.1:${base + 9}`
  })
  assert.deepEqual(nonet.ready.ports, { 'mailbox-imap': base + 143, 'mailbox-smtp': base + 5 })
})

test('a busy port ends the start with one line naming port, service and flag', async (t) => {
  const base = await freePortBase()
  const squatter = createServer()
  t.after(() => squatter.close())
  await new Promise<void>((resolve) => squatter.listen(base + 5, '127.0.0.1', resolve))
  const { code, stdout, stderr } = await runNonet(['up', `--port-base=${base}`, '--ephemeral'])
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.equal(
    stderr,
    `nonet: Port ${base + 5} for forms is in use: choose another with --port forms=N, or move all with --port-base N\n`
  )
})

test('for people: a line per service, where the data is, how to stop, what to open', async () => {
  using folder = temporaryFolder()
  const base = await freePortBase()
  const data = join(folder.path, 'kept')
  const script = `console.log('ran')`
  const { code, stdout } = await runNonet(
    ['up', `--port-base=${base}`, `--data=${data}`, '--', process.execPath, '-e', script],
    { cwd: folder.path }
  )
  assert.equal(code, 0)
  const lines = stdout.trimEnd().split('\n')
  const rows: readonly (readonly [string, number, string?])[] = [
    ['console', 0],
    ['reference', 1],
    ['boxes', 2],
    ['countries', 3],
    ['scenarios', 4],
    ['forms', 5],
    ['mailbox', 6],
    ['mailbox-imap', 143, 'imap'],
    ['mailbox-smtp', 25, 'smtp'],
    ['statuses', 7],
    ['mock', 8],
    ['cards', 9]
  ]
  for (const [index, [name, offset, scheme = 'http']] of rows.entries()) {
    const row = new RegExp(`^${name} +${scheme}://127.0.0.1:${base + offset} +\\w`)
    assert.match(lines[index] ?? '', row)
  }
  const note =
    'Behind a proxy, set --public-url: a proxy that adds no header looks like a local client'
  assert.deepEqual(lines.slice(rows.length), [
    ...['', `Data in ${data}`, note, 'Stop with Ctrl+C'],
    ...['', `Open http://127.0.0.1:${base}`, 'ran']
  ])
  assert.equal(readFileSync(join(data, '.gitignore'), 'utf8'), '*\n')
  assert.ok(!existsSync(join(data, 'running.json')))
})

test('the command after -- gets the addresses, and its exit code is ours', async () => {
  const script = `
    const answer = await fetch(process.env.NONET_REFERENCE_URL + '/api/people/1/')
    console.log(answer.status, process.env.NONET_CONSOLE_URL.startsWith('http://'))
    process.exit(7)`
  const { code, stdout } = await runNonet([
    ...['up', 'reference', '--ephemeral', '--quiet', '--port-base=0', '--', process.execPath],
    ...['--input-type=module', '-e', script]
  ])
  assert.equal(code, 7)
  assert.match(stdout, /^200 true$/m)
})

test('a command that cannot be run is told', async () => {
  const { code, stderr } = await runNonet([
    'up',
    'reference',
    '--ephemeral',
    '--port-base=0',
    '--',
    './no-such-command'
  ])
  assert.equal(code, 127)
  assert.match(stderr, /cannot run \.\/no-such-command/)
})

test('--ephemeral leaves nothing behind', async () => {
  await using nonet = await launchNonet(['reference', '--ephemeral'])
  assert.ok(existsSync(nonet.ready.data))
  await nonet.end()
  assert.ok(!existsSync(nonet.ready.data))
})

test('the file that names the running nonet is for its owner only', {
  skip: process.platform === 'win32'
}, async () => {
  await using nonet = await launchLoadedNonet(['reference', '--ephemeral'])
  assert.equal(statSync(join(nonet.ready.data, 'running.json')).mode & 0o777, 0o600)
})

test('--lan prints what other machines can type and asks for a token', async () => {
  const { code, stdout } = await runNonet([
    'up',
    'reference',
    '--lan',
    '--ephemeral',
    '--port-base=0',
    '--',
    process.execPath,
    '-e',
    ''
  ])
  assert.equal(code, 0)
  assert.match(stdout, /console +http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}/)
  assert.match(
    stdout,
    /From other machines:\n( {2}console +http:\/\/\d+\.\d+\.\d+\.\d+:\d+\/\?token=[\w-]{32}\n {2}reference +http:\/\/\d+\.\d+\.\d+\.\d+:\d+\n)+|no network IP address/
  )
})

test('links carry the public address, the trusted proxy, or the known host', async () => {
  await using nonet = await launchLoadedNonet([
    ...['reference', '--ephemeral', '--trusted-proxy=127.0.0.1', '--allowed-host=people.test']
  ])
  const { reference = '' } = nonet.ready.services
  const peopleLink = async (headers: Record<string, string>) => {
    const { request } = await import('node:http')
    return new Promise<string>((resolve, reject) => {
      request(`${reference}/api/`, { headers }, (response) => {
        response.setEncoding('utf8').on('data', (text) => resolve(JSON.parse(text).people))
      })
        .on('error', reject)
        .end()
    })
  }
  assert.equal(await peopleLink({}), `${reference}/api/people/`)
  assert.equal(await peopleLink({ host: 'people.test' }), 'http://people.test/api/people/')
  assert.equal(await peopleLink({ host: 'evil.test' }), `${reference}/api/people/`)
  assert.equal(
    await peopleLink({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'people.test' }),
    'https://people.test/api/people/'
  )
  const forged = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.test' }
  assert.equal(await peopleLink(forged), `${reference.replace('http', 'https')}/api/people/`)
  await using told = await launchLoadedNonet([
    ...['reference', '--ephemeral', '--public-url', 'reference=https://people.example/']
  ])
  const root = (await (await fetch(`${told.ready.services.reference}/api/`)).json()) as {
    people: string
  }
  assert.equal(root.people, 'https://people.example/api/people/')
})

test('X-Forwarded headers from anybody else do not count', async () => {
  await using nonet = await launchLoadedNonet(['reference', '--ephemeral'])
  const { reference = '' } = nonet.ready.services
  const answer = await fetch(`${reference}/api/`, {
    headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.test' }
  })
  assert.equal(((await answer.json()) as { people: string }).people, `${reference}/api/people/`)
})
