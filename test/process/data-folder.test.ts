/** Who can read the data folder, and which process it names. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { prepareDataFolder } from '../../src/host/data-folder.ts'
import {
  LAUNCHER,
  launchLoadedNonet,
  launchNonet,
  runNonet,
  temporaryFolder
} from '../support/launcher.ts'
import { freePortBase } from '../support/ports.ts'

const limits = {
  skip: process.platform === 'win32' && 'Windows has no modes',
  timeout: 300_000
}

/** A start by a user who lets everybody read and write new files. */
const OPEN_HANDED = {
  launcher: ['sh', '-c', 'umask 0; exec "$@"', 'sh', process.execPath, LAUNCHER]
} as const

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

/** Path and mode of the folder and everything in it that others can access. */
function openPaths(folder: string): string[] {
  const paths = [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  ]
  return paths
    .filter((path) => (statSync(path).mode & 0o077) !== 0)
    .map((path) => `${path} ${modeOf(path)}`)
}

async function post(url: string | undefined): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/box_0123456789abcdefghij`, {
    method: 'POST',
    headers,
    body: '{"a":1}'
  })
  assert.equal(response.status, 200)
}

test('only the owner can read the data folder, whatever the umask', limits, async () => {
  using folder = temporaryFolder()
  const data = join(folder.path, 'data')
  await using nonet = await launchNonet(['boxes', 'scenarios', `--data=${data}`], OPEN_HANDED)
  await post(nonet.ready.services.boxes)
  assert.ok(readdirSync(data).includes('boxes.sqlite-wal'))
  assert.deepEqual(openPaths(data), [])
  assert.equal(modeOf(data), '700')
  const backup = join(folder.path, 'data.nonet')
  const { code } = await runNonet(['backup', backup, `--data=${data}`], OPEN_HANDED)
  assert.equal(code, 0)
  assert.equal(modeOf(backup), '600')
  assert.equal((await nonet.end()).stderr, '')
  assert.deepEqual(openPaths(data), [])
})

test('a data folder that others can read is tightened, with a line', limits, async () => {
  using folder = temporaryFolder()
  const data = join(folder.path, 'data')
  await (await launchLoadedNonet(['boxes', `--data=${data}`])).end()
  mkdirSync(join(data, 'reference'), { mode: 0o755 })
  writeFileSync(join(data, 'reference', 'people.json'), '[]', { mode: 0o644 })
  chmodSync(data, 0o755)
  chmodSync(join(data, 'boxes.sqlite'), 0o644)
  await using nonet = await launchLoadedNonet(['boxes', `--data=${data}`])
  const { stderr } = await nonet.end()
  assert.deepEqual(openPaths(data), [])
  assert.equal(
    stderr,
    `nonet: Other users could read ${data} and what is in it; now only the owner can\n`
  )
})

test('a folder that others cannot enter is not read at a start', limits, async () => {
  using folder = temporaryFolder()
  const data = await prepareDataFolder(join(folder.path, 'data'))
  const closed = join(data, 'reference', 'files')
  mkdirSync(closed, { recursive: true, mode: 0o700 })
  writeFileSync(join(closed, 'a'), '')
  chmodSync(join(closed, 'a'), 0o644)
  const warnings: string[] = []
  await prepareDataFolder(data, (text) => warnings.push(text))
  assert.equal(modeOf(join(closed, 'a')), '644')
  assert.deepEqual(warnings, [])
  chmodSync(join(data, 'reference'), 0o755)
  chmodSync(closed, 0o755)
  await prepareDataFolder(data)
  assert.deepEqual(openPaths(data), [])
})

test('files of others in a shared folder are left alone', limits, async () => {
  using folder = temporaryFolder()
  const data = folder.path
  chmodSync(data, 0o755)
  const others = ['mine.txt', 'forms/mine.txt'].map((name) => join(data, name))
  mkdirSync(join(data, 'forms'))
  for (const file of others) writeFileSync(file, '')
  const paths = [...others, join(data, 'forms')]
  for (const path of paths) chmodSync(path, 0o755)
  await using nonet = await launchLoadedNonet(['boxes', `--data=${data}`])
  assert.deepEqual(paths.map(modeOf), ['755', '755', '755'])
  assert.equal(modeOf(data), '755')
  assert.equal(modeOf(join(data, 'boxes.sqlite')), '600')
  const { stderr } = await nonet.end()
  assert.equal(
    stderr,
    `nonet: Other users can see the names of files in ${data}, which also contains other files\n`
  )
})

test('a second start on a folder in use leaves running.json alone', limits, async () => {
  using folder = temporaryFolder()
  const data = join(folder.path, 'data')
  const file = join(data, 'running.json')
  await using first = await launchLoadedNonet(['boxes', `--data=${data}`])
  const before = readFileSync(file, 'utf8')
  await using second = await launchLoadedNonet(['reference', `--data=${data}`])
  assert.equal(readFileSync(file, 'utf8'), before)
  const { stderr } = await second.end()
  assert.equal(readFileSync(file, 'utf8'), before)
  assert.equal(
    stderr,
    `nonet: Until process ${first.ready.pid} ends, commands such as nonet reset use it for ${data}\n`
  )
  const reset = await runNonet(['reset', 'boxes', `--data=${data}`])
  assert.deepEqual([reset.code, reset.stdout], [0, 'Reset boxes\n'])
})

test(
  'the file of a killed process is replaced, also if its id is in use again',
  limits,
  async () => {
    using folder = temporaryFolder()
    const data = join(folder.path, 'data')
    await (await launchLoadedNonet(['reference', `--data=${data}`])).end()
    const port = await freePortBase()
    const probe = connect(port, '127.0.0.1')
    await once(probe, 'error')
    const stale = { pid: process.pid, console: `http://127.0.0.1:${port}`, token: 'old' }
    writeFileSync(join(data, 'running.json'), JSON.stringify(stale))
    await using nonet = await launchLoadedNonet(['reference', `--data=${data}`])
    const { pid } = JSON.parse(readFileSync(join(data, 'running.json'), 'utf8'))
    assert.equal(pid, nonet.ready.pid)
  }
)
