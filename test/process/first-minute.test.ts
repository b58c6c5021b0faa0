/** What a new user sees: the startup output, the browser that opens, and silence on demand. */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type Finished,
  LAUNCHER,
  launch,
  launchNonet,
  ROOT,
  runNonet,
  temporaryFolder
} from '../support/launcher.ts'

const GARDEN = join(ROOT, 'data/mock/garden.yaml')
const DEADLINE_MS = 60_000
const NOTHING = [process.execPath, '-e', ''] as const
const UP = ['up', 'reference', '--ephemeral', '--port-base=0']

async function until(holds: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS
  while (!holds()) {
    assert.ok(performance.now() < deadline, `waited in vain for ${what}`)
    await wait(20)
  }
}

function lastLine({ stdout }: Pick<Finished, 'stdout'>): string {
  return stdout.trimEnd().split('\n').at(-1) ?? ''
}

describe('the startup output ends with what to open', () => {
  test('the console', async () => {
    const done = await runNonet([...UP, '--', ...NOTHING])
    const [, url = ''] = /^console +(\S+)/m.exec(done.stdout) ?? []
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.equal(lastLine(done), `Open ${url}`)
  })

  test('the console with its token, if local clients need it', async () => {
    const flags = ['--allowed-host=nonet.test', '--admin-token=a-token-of-our-own']
    const done = await runNonet([...UP, ...flags, '--', ...NOTHING])
    assert.match(lastLine(done), /^Open http:\/\/127\.0\.0\.1:\d+\/\?token=a-token-of-our-own$/)
  })

  test('nothing with --no-console', async () => {
    const { stdout } = await runNonet([...UP, '--no-console', '--', ...NOTHING])
    assert.match(stdout, /^Stop with Ctrl\+C$/m)
    assert.doesNotMatch(stdout, /Open/)
  })

  const mocks: [string, string[], RegExp][] = [
    ['the admin pages of nonet mock', [], /^Open (http:\/\/127\.0\.0\.1:\d+\/__nonet\/)$/],
    [
      'the admin pages with the token',
      ['-h', '0.0.0.0'],
      /^Open (http:\/\/127\.0\.0\.1:\d+\/__nonet\/\?token=[\w-]{32})$/
    ],
    ['no admin pages with --no-admin', ['--no-admin'], /^nonet is listening on (http:\S+)$/]
  ]
  for (const [what, flags, expected] of mocks) {
    test(what, async () => {
      await using running = await launch(['mock', GARDEN, '-p', '0', ...flags])
      await until(() => running.stdout().includes('listening'), 'the startup output')
      const [, link = ''] = expected.exec(lastLine({ stdout: running.stdout() })) ?? []
      assert.notEqual(link, '', running.stdout())
      const response = await fetch(link, { redirect: 'manual' })
      assert.equal(
        response.status,
        flags.includes('--no-admin') ? 404 : link.includes('?') ? 303 : 200
      )
    })
  }
})

describe('--open', { skip: process.platform === 'win32' && 'cmd is always there' }, () => {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'

  /** A folder for PATH with Node and, if given, a program that opens URLs. */
  function programs(folder: string, script?: string): Record<string, string> {
    const path = join(folder, 'bin')
    mkdirSync(path)
    symlinkSync(process.execPath, join(path, 'node'))
    if (script !== undefined) {
      writeFileSync(join(path, opener), `#!/bin/sh\n${script}\n`)
      chmodSync(join(path, opener), 0o755)
    }
    return { PATH: path, TEST_OUT: join(folder, 'opened') }
  }

  test('opens the console, with its token if local clients need it', async () => {
    using folder = temporaryFolder()
    const env = programs(
      folder.path,
      'echo "$#" "$1" > "$TEST_OUT.new"; /bin/mv "$TEST_OUT.new" "$TEST_OUT"'
    )
    await using nonet = await launchNonet(
      ['reference', '--open', '--ephemeral', '--allowed-host=nonet.test'],
      { env, launcher: [process.execPath, LAUNCHER] }
    )
    await until(() => existsSync(join(folder.path, 'opened')), 'the browser')
    const { console: url, token } = nonet.ready
    assert.ok(token)
    assert.equal(readFileSync(join(folder.path, 'opened'), 'utf8'), `1 ${url}/?token=${token}\n`)
    assert.deepEqual([nonet.log(), nonet.stderr()], ['', ''])
  })

  for (const [what, script, reason] of [
    ['no program that opens URLs', undefined, `${opener} is not installed`],
    ['a program that finds no browser', 'exit 3', `${opener} failed`]
  ] as const) {
    test(`${what}: one sentence with the URL, and nonet goes on`, async () => {
      using folder = temporaryFolder()
      const flags = ['reference', '--open', '--ephemeral', '--quiet']
      await using nonet = await launchNonet(flags, { env: programs(folder.path, script) })
      await until(() => nonet.stderr().endsWith('\n'), 'the sentence')
      const { console: url, services } = nonet.ready
      assert.equal(
        nonet.stderr(),
        `nonet: Cannot open a browser because ${reason}: open ${url} yourself\n`
      )
      assert.equal((await fetch(`${services.reference}/api/`)).status, 200)
      assert.equal((await nonet.end()).code, 0)
    })
  }

  test('a browser that keeps running does not keep nonet running', async () => {
    using folder = temporaryFolder()
    const env = programs(folder.path, 'echo "$$" > "$TEST_OUT"; exec /bin/sleep 600')
    await using nonet = await launchNonet(['reference', '--open', '--ephemeral'], { env })
    const file = join(folder.path, 'opened')
    await until(() => existsSync(file) && readFileSync(file, 'utf8').endsWith('\n'), 'the browser')
    assert.equal((await nonet.end()).code, 0)
    // It is still there: this fails if the process does not exist.
    process.kill(Number(readFileSync(file, 'utf8')))
  })

  test('it requires the console', async () => {
    const { code, stdout, stderr } = await runNonet([...UP, '--open', '--no-console'])
    assert.deepEqual([code, stdout], [2, ''])
    assert.equal(
      stderr,
      'nonet: --open opens the console, which is turned off: remove --no-console\n'
    )
  })
})

describe('--quiet prints nothing but errors', () => {
  test('the command after -- has the output for itself', async () => {
    const script = `fetch(process.env.NONET_REFERENCE_URL + '/api/').then(() => console.log('ran'))`
    const command = [process.execPath, '-e', script]
    const done = await runNonet([...UP, '--quiet', '--', ...command])
    assert.deepEqual(done, { code: 0, stdout: 'ran\n', stderr: '' })
  })

  test('--json still prints its line', async () => {
    const { stdout } = await runNonet([...UP, '--quiet', '--json', '--', ...NOTHING])
    assert.equal(JSON.parse(stdout).ready, true)
  })

  test('warnings about a document are left out, errors are not', async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'hidden.json')
    const get = { responses: { 200: { description: '' } } }
    const info = { title: 't', version: '1' }
    writeFileSync(
      file,
      JSON.stringify({ openapi: '3.1.0', info, paths: { '/__nonet/a': { get } } })
    )
    const up = ['up', 'mock', `--mock=${file}`, '--ephemeral', '--port-base=0']
    const script = `fetch(process.env.NONET_MOCK_URL + '/b')`
    const command = ['--mock-fail-on=violation', '--', process.execPath, '-e', script]
    const loud = await runNonet([...up, ...command])
    assert.match(loud.stderr, /cannot be reached: the admin pages use this path/)
    const quiet = await runNonet([...up, '--quiet', ...command])
    assert.deepEqual([quiet.code, quiet.stdout], [1, ''])
    assert.match(quiet.stderr, /^nonet: mock: failed: [^\n]+\n$/)
  })

  test('a start that fails says why', async () => {
    const { code, stdout, stderr } = await runNonet(['up', '--quiet', '--port-base=no'])
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^nonet: [^\n]+\n$/)
  })
})
