/** `check` and `types` of a service that stores data, through a process opened for them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { runCheck } from '../../src/cli/check.ts'
import type { Invocation } from '../../src/cli/command.ts'
import { writeTypes } from '../../src/cli/typed-client.ts'
import type { ConsoleEndpoint, Finding, Service } from '../../src/kernel/service.ts'
import { temporaryFolder } from '../support/launcher.ts'

const WARNING: Finding = { level: 'warning', where: 'record 1', text: 'has no title' }
const ERROR: Finding = { level: 'error', where: 'record 2', text: 'has no owner' }

async function read({ url, headers }: ConsoleEndpoint, path: string): Promise<string> {
  const response = await fetch(url + path, { headers })
  assert.equal(response.status, 200)
  return response.text()
}

/** The smallest service whose stored data can be checked. */
function checked(findings: readonly Finding[]): Service {
  return {
    name: 'checked',
    label: 'I-99',
    summary: 'checks its data',
    compatibleWith: 'nothing',
    example: { method: 'GET', path: '/' },
    settings: {},
    renderError: ({ message }) => ({ status: 500, body: message, type: 'text/plain' }),
    openapi: () => ({}),
    tools: {
      remote: {
        check: {
          flags: {},
          run: async (endpoint) => JSON.parse(await read(endpoint, '/findings'))
        },
        types: { flags: {}, run: (endpoint) => read(endpoint, '/types') }
      }
    },
    async mount() {
      return {
        consoleRoutes(app) {
          app.get('/findings', async () => findings)
          app.get('/types', async () => 'export type Text = string\n')
        }
      }
    }
  }
}

function invoke(words: readonly string[], flags: Invocation['flags']): Invocation {
  return { positionals: ['checked', ...words], flags, orderedFlags: [], rest: undefined }
}

describe('a service whose stored data can be checked', () => {
  test('prints the findings; errors, and warnings with --strict, are exit code 1', async () => {
    using folder = temporaryFolder()
    const data = folder.path
    const run = (findings: readonly Finding[], flags: object = {}) =>
      runCheck(checked(findings), invoke([], { data, ...flags }))
    assert.deepEqual(await run([]), { text: 'No problems found', code: 0 })
    assert.equal((await run([WARNING])).code, 0)
    assert.equal((await run([WARNING], { strict: true })).code, 1)
    assert.deepEqual(await run([WARNING, ERROR]), {
      text: 'warning  record 1: has no title\nerror  record 2: has no owner\n1 errors, 1 warnings',
      code: 1
    })
    const { text } = await run([ERROR], { json: true })
    assert.deepEqual(JSON.parse(text), { findings: [ERROR] })
  })

  test('takes no folder, and needs an existing data folder', async () => {
    const surplus = runCheck(checked([]), invoke(['.'], {}))
    await assert.rejects(surplus, {
      name: 'UsageError',
      message: 'check checked checks the stored data: unexpected argument .'
    })
    using folder = temporaryFolder()
    const missing = { data: join(folder.path, 'none') }
    await assert.rejects(runCheck(checked([]), invoke([], missing)), /none does not exist/)
    await assert.rejects(writeTypes(checked([]), invoke([], missing)), /none does not exist/)
  })

  test('has a typed client, printed or in a file', async () => {
    using folder = temporaryFolder()
    const flags = { data: folder.path }
    const client = 'export type Text = string\n'
    assert.equal(await writeTypes(checked([]), invoke([], flags)), client)
    assert.equal(await writeTypes(checked([]), invoke(['-'], flags)), client)
    const file = join(folder.path, 'client.ts')
    assert.equal(await writeTypes(checked([]), invoke([file], flags)), `Wrote ${file}\n`)
    assert.equal(readFileSync(file, 'utf8'), client)
    const absent = join(folder.path, 'none', 'client.ts')
    const failing = writeTypes(checked([]), invoke([absent], flags))
    await assert.rejects(failing, { name: 'UserError', message: /^Cannot write .*client\.ts: / })
  })
})
