/** The example suite as a user runs it: in a folder of its own, around it `nonet up … -- …`. */
import assert from 'node:assert/strict'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { ROOT, runNonet, temporaryFolder } from '../support/launcher.ts'
import { freePortBase } from '../support/ports.ts'

/** Playwright's limits, 5 and 30 s, are for a machine that does nothing else. */
const CONFIG = 'patient.config.ts'
const PATIENT = `import base from './playwright.config.ts'
export default { ...base, timeout: 600_000, expect: { timeout: 60_000 } }
`

describe('a Playwright suite around scenarios', () => {
  let folder: ReturnType<typeof temporaryFolder>
  before(() => {
    folder = temporaryFolder()
    cpSync(join(ROOT, 'examples/playwright'), folder.path, { recursive: true })
    symlinkSync(join(ROOT, 'test/clients/node_modules'), join(folder.path, 'node_modules'))
    writeFileSync(join(folder.path, CONFIG), PATIENT)
  })
  after(() => folder[Symbol.dispose]())

  async function play(...args: string[]) {
    const cli = join(folder.path, 'node_modules/@playwright/test/cli.js')
    const flags = ['--ephemeral', '--port-base=0', '--quiet']
    const config = ['--config', CONFIG]
    const port = await freePortBase()
    return runNonet(
      ['up', 'scenarios', ...flags, '--', process.execPath, cli, 'test', ...config, ...args],
      {
        cwd: folder.path,
        env: { APP_PORT: String(port), FORCE_COLOR: '0' }
      }
    )
  }

  test('passes, several tests at a time', async () => {
    const { code, stdout, stderr } = await play()
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /\b7 passed\b/)
  })

  test('ends with the code of the suite', async () => {
    const { code, stdout, stderr } = await play('--grep', 'no test is called like this')
    assert.equal(code, 1, stdout + stderr)
  })
})
