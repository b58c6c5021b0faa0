import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { configure } from '../../src/host/configuration.ts'
import { launchLoadedNonet, runNonet, temporaryFolder } from '../support/launcher.ts'

const KEY = '0123456789abcdef'.repeat(4)

test('config masks the key, and there is no flag for it', async () => {
  using folder = temporaryFolder()
  const options = { cwd: folder.path, env: { NONET_SECRET_KEY: KEY } }
  const { code, stdout } = await runNonet(['config'], options)
  assert.equal(code, 0)
  assert.equal(JSON.parse(stdout).secretKey, '********')
  assert.ok(!stdout.includes(KEY))
  const flag = await runNonet(['config', '--secret-key', KEY], { cwd: folder.path })
  assert.equal(flag.code, 2)
  assert.match(
    flag.stderr,
    /^nonet: Unknown flag --secret-key for config; did you mean --secret-key-file\? .*\n$/
  )
  assert.ok(!flag.stderr.includes(KEY))
})

test('of a file and a key, the source that counts more wins, then the file', () => {
  const given = (...sources: object[]) => {
    const { secretKeyFile, secretKey } = configure(...sources.map((one) => ({ ...one })))
    return [secretKeyFile, secretKey]
  }
  const [file, key] = [{ secretKeyFile: 'f' }, { secretKey: 'k' }]
  assert.deepEqual(given(key, file), ['f', undefined])
  assert.deepEqual(given(file, key), [undefined, 'k'])
  assert.deepEqual(given({ ...file, ...key }), ['f', undefined])
  assert.deepEqual(given(file, { secretKeyFile: 'g' }), ['g', undefined])
  assert.deepEqual(given(key, { secretKeyFile: '' }), [undefined, 'k'])
  assert.deepEqual(given({}), [undefined, undefined])
  const masked = { secretKey: '********' }
  assert.throws(() => given(masked), /^UserError: NONET_SECRET_KEY has a masked value/)
})

test('secrets status and rotate say that there are none, and create nothing', async () => {
  using folder = temporaryFolder()
  const data = join(folder.path, 'data')
  const rotated = await runNonet(['secrets', 'rotate', '--data', data])
  assert.deepEqual(rotated, {
    code: 1,
    stdout: '',
    stderr: 'nonet: No service has stored secrets, so no key is needed\n'
  })
  assert.equal((await runNonet(['secrets', 'status', '--data', data])).code, 0)
  assert.ok(!existsSync(data))
  const unknown = await runNonet(['secrets', 'rotat'])
  assert.equal(unknown.code, 2)
  assert.match(unknown.stderr, /did you mean rotate\?\n$/)
})

test('secrets rotate stops in one line while nonet runs', async () => {
  using folder = temporaryFolder()
  await using nonet = await launchLoadedNonet(['reference', '--data', folder.path])
  const { code, stderr } = await runNonet(['secrets', 'rotate', '--data', folder.path])
  assert.equal(code, 1)
  assert.equal(
    stderr,
    `nonet: nonet is running (process ${nonet.child.pid}) and has the key in memory: stop it, rotate, and start it again\n`
  )
  assert.ok(!existsSync(join(folder.path, 'secret.key')))
})

test('a deleted key ends the start in one line and makes no other', async () => {
  using folder = temporaryFolder()
  const args = ['cards', '--data', folder.path]
  const first = await launchLoadedNonet(args)
  await first.end()
  const key = join(folder.path, 'secret.key')
  assert.equal(statSync(key).mode & 0o777, 0o600)
  const text = readFileSync(key, 'utf8')
  rmSync(key)
  const { code, stderr } = await runNonet(['up', '--port-base=0', ...args])
  assert.equal(code, 1)
  assert.match(stderr, /^nonet: The secrets of cards are sealed with the key [\da-f]{8}, but .*\n$/)
  assert.ok(!existsSync(key))
  const env = { NONET_SECRET_KEY: text.trim().split('\n').at(-1) ?? '' }
  const again = await launchLoadedNonet(args, { env })
  await again.end()
})
