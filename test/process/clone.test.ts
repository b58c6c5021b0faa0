/** The first start of a clone that cannot install its dependencies. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { ROOT, runNonet, temporaryFolder } from '../support/launcher.ts'
import { CAN_MOUNT, smallDisk } from '../support/small-disk.ts'

const limits = { timeout: 300_000 }
/** What the launcher needs to see a clone. */
const FILES = ['bin', 'scripts/setup.mjs', 'src/main.ts', 'package.json', 'package-lock.json']

function cloneInto(folder: string): void {
  for (const file of FILES) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(ROOT, file), join(folder, file), { recursive: true })
  }
}

function start(folder: string, env: Record<string, string> = {}) {
  const launcher = [process.execPath, join(folder, 'bin', 'nonet.mjs')] as const
  return runNonet(['--version'], { cwd: folder, launcher, env })
}

test('a clone without a network says so', limits, async () => {
  using folder = temporaryFolder()
  cloneInto(folder.path)
  const { code, stdout, stderr } = await start(folder.path, {
    npm_config_registry: 'http://127.0.0.1:1/',
    npm_config_cache: join(folder.path, 'cache'),
    npm_config_fetch_retries: '0'
  })
  assert.deepEqual([code, stdout], [1, ''])
  assert.equal(
    stderr,
    'Installing dependencies (first start only)\n' +
      'Cannot install dependencies: the npm registry is not reachable (ECONNREFUSED). ' +
      'A clone needs the network for its first start only: connect to it and start again.\n'
  )
})

test('a clone that cannot be written says so', {
  ...limits,
  skip: !CAN_MOUNT && 'needs root on Linux'
}, async () => {
  using disk = smallDisk(4)
  cloneInto(disk.path)
  execFileSync('mount', ['-o', 'remount,ro', disk.path])
  const { code, stdout, stderr } = await start(disk.path)
  assert.deepEqual([code, stdout], [1, ''])
  assert.equal(
    stderr,
    `This clone is not set up, and ${disk.path} cannot be written (EROFS): ` +
      'start it once as a user who can write there, or copy it to another folder.\n'
  )
})
