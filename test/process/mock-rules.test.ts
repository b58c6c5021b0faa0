/** Rules and hooks as somebody works with them: files that are saved while the mock runs. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { launchLoaded, ROOT, runNonet, temporaryFolder } from '../support/launcher.ts'

const GARDEN = join(ROOT, 'data/mock/garden.yaml')

async function launchMock(args: readonly string[]) {
  const running = await launchLoaded(['mock', '--json', '-p', '0', GARDEN, ...args])
  const { url }: { url: string } = JSON.parse(running.line)
  const shown = async () => (await fetch(`${url}/plants/1`)).headers.get('x-shown')
  return { ...running, url, shown }
}

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let waited = 0; waited < 15_000; waited += 50) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.fail(`waited in vain for ${what}`)
}

function showing(value: string): string {
  return `rules:\n  - do:\n      - setHeader: { x-shown: '${value}' }\n`
}

function hookShowing(value: string): string {
  return `export function onResponse(response) { response.headers['x-shown'] = '${value}' }\n`
}

const FAILING_HOOK = `function sow() {
  throw new Error('out of seeds')
}
export function onResponse() {
  sow()
}
`

describe('files that are saved while it runs', () => {
  test('rules are read again, and a broken save keeps the last good ones', async () => {
    const folder = temporaryFolder()
    const file = join(folder.path, 'rules.yaml')
    writeFileSync(file, showing('one'))
    await using mock = await launchMock(['--transform', file])
    assert.equal(await mock.shown(), 'one')
    writeFileSync(file, showing('two'))
    await until(async () => (await mock.shown()) === 'two', 'the new rules')
    writeFileSync(file, 'rules:\n  - do:\n      - setHeaders: { x-shown: three }\n')
    await until(() => mock.stderr().includes('still served'), 'the complaint')
    assert.match(mock.stderr(), /rules\.yaml#\/rules\/0\/do\/0: must be one of setHeader, /)
    assert.equal(await mock.shown(), 'two')
    writeFileSync(file, showing('four'))
    await until(async () => (await mock.shown()) === 'four', 'the mended rules')
  })

  test('hooks are loaded again, and a broken save keeps the last good ones', async () => {
    const folder = temporaryFolder()
    const file = join(folder.path, 'hooks.mjs')
    writeFileSync(file, hookShowing('one'))
    await using mock = await launchMock(['--hooks', file])
    assert.equal(await mock.shown(), 'one')
    writeFileSync(file, hookShowing('two'))
    await until(async () => (await mock.shown()) === 'two', 'the new hooks')
    writeFileSync(file, 'export function onResponse(')
    await until(() => mock.stderr().includes('still served'), 'the complaint')
    assert.equal(await mock.shown(), 'two')
    writeFileSync(file, FAILING_HOOK)
    await until(async () => (await mock.shown()) === null, 'the hooks that fail')
    await until(() => mock.stderr().includes('onResponse ('), 'the line about the hook')
    const [line = '', ...frames] = mock
      .stderr()
      .slice(mock.stderr().indexOf('The hook failed'))
      .split('\n')
    assert.equal(line, `The hook failed: Error: out of seeds. (${file}:2:9)`)
    assert.match(frames[0] ?? '', /^ {4}at sow \(.*hooks\.mjs:2:9\)$/)
    assert.match(frames[1] ?? '', /^ {4}at onResponse \(.*hooks\.mjs:5:3\)$/)
    assert.doesNotMatch(frames[2] ?? '', /^ {4}at /)
  })
})

test('hooks keep no process alive whose seed is wrong, at the start or later', async () => {
  const folder = temporaryFolder()
  const hooks = join(folder.path, 'hooks.mjs')
  const seed = join(folder.path, 'seed.yaml')
  writeFileSync(hooks, hookShowing('one'))
  writeFileSync(seed, '/nowhere: []\n')
  const args = ['--state', '--seed-data', seed, '--hooks', hooks]
  const { code, stderr } = await runNonet(['mock', '-p', '0', GARDEN, ...args])
  assert.equal(code, 1)
  assert.match(stderr, /nowhere is not a collection/)
  writeFileSync(seed, '/plants: []\n')
  const mock = await launchMock(args)
  writeFileSync(seed, '/nowhere: []\n')
  await until(() => mock.stderr().includes('still served'), 'the complaint')
  assert.equal(await mock.shown(), 'one')
  await mock[Symbol.asyncDispose]()
})

describe('what is wrong with the files', () => {
  const folder = temporaryFolder()
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder.path, name), text)
    return join(folder.path, name)
  }
  const lost = file(
    'lost.yaml',
    'rules:\n  - match: { operationId: getPlum }\n    do: [{ omit: /name }]\n'
  )
  const torn = file('torn.yaml', 'rules: [')
  const doubtful = file(
    'doubtful.yaml',
    'rules:\n  - match: { operationId: getPlant, status: 500 }\n    do: [{ delay: 1 }]\n'
  )
  const strays = file(
    'strays.yaml',
    'rules:\n  - match: { path: /sign-in }\n    phase: final\n    do: [{ setStatus: 200 }]\n'
  )
  const rows: [string, string[], number, RegExp][] = [
    [
      'rules that point nowhere',
      ['-p', '0', '--transform', lost],
      1,
      /lost\.yaml#\/rules\/0\/match\/operationId: Unknown operation getPlum/
    ],
    ['a torn file', ['-p', '0', '--transform', torn], 1, /torn\.yaml cannot be read/],
    [
      'no such file',
      ['-p', '0', '--transform', 'none.yaml'],
      1,
      /none\.yaml cannot be read: file not found/
    ],
    ['no such hooks', ['-p', '0', '--hooks', 'none.mjs'], 1, /none\.mjs cannot be loaded/],
    [
      '--check names hooks that cannot be loaded',
      ['--check', '--hooks', 'none.mjs'],
      1,
      /^error: none\.mjs: none\.mjs cannot be loaded: file not found$/m
    ],
    [
      '--check names it',
      ['--check', '--transform', lost],
      1,
      /error: .*lost\.yaml#\/rules\/0\/match\/operationId: Unknown operation getPlum/
    ],
    [
      '--check names a torn file',
      ['--check', '--transform', torn],
      1,
      /error: .*torn\.yaml cannot be read/
    ],
    [
      '--check names what is doubtful',
      ['--check', '--transform', doubtful],
      0,
      /warning: .*doubtful\.yaml#\/rules\/0\/match\/status: No response of the matching operations has 500/
    ],
    [
      '--check names a path that only strangers have',
      ['--check', '--transform', strays],
      0,
      /warning: .*\/match\/path: No documented path matches \/sign-in: it applies to requests without a/
    ]
  ]
  for (const [what, args, code, said] of rows) {
    test(what, async () => {
      const ended = await runNonet(['mock', GARDEN, ...args])
      assert.equal(ended.code, code, ended.stderr)
      assert.match(ended.stdout + ended.stderr, said)
    })
  }

  test('--check has nothing to say about good rules', async () => {
    const good = file('good.yaml', showing('{$request.path.id}'))
    const { code, stdout } = await runNonet(['mock', GARDEN, '--check', '--transform', good])
    assert.equal(code, 0)
    assert.equal(stdout, `${GARDEN}: no problems found\n${good}: no problems found\n`)
  })
})

test('a stop is not held up by those who wait', async () => {
  const mock = await launchMock([])
  const waiting = fetch(`${mock.url}/plants/1`, { headers: { prefer: 'delay=600000' } })
  const hanging = fetch(`${mock.url}/plants/1`, { headers: { prefer: 'fault=hang' } })
  const settled = Promise.allSettled([waiting, hanging])
  await fetch(`${mock.url}/plants/1`)
  const began = performance.now()
  const { code } = await mock.end('SIGTERM')
  assert.equal(code, 0)
  assert.ok(performance.now() - began < 9_000, 'before the deadline of ten seconds')
  const [delayed, hung] = await settled
  assert.ok(delayed.status === 'fulfilled' && delayed.value.status === 200)
  assert.equal(hung.status, 'rejected')
})
