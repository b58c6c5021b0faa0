/** A project that depends on a clone, as `npm install ../nonet` links it. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ROOT, temporaryFolder } from '../support/launcher.ts'
import { nodeBinaries } from '../support/node-binaries.ts'

const USE = `
import assert from 'node:assert/strict'
import { start } from 'nonet'
import { mock } from 'nonet/mock'
import worker, { createFetchHandler } from 'nonet/forms/fetch'
const response = await worker.fetch(new Request('http://localhost/', { method: 'POST' }), {})
assert.equal(await response.text(), 'Name and email are required.')
assert.equal(typeof createFetchHandler, 'function')
const nonet = await start({ services: ['reference'] })
assert.equal((await fetch(nonet.reference.url + '/api/people/1/')).status, 200)
await nonet.stop()
const api = await mock('node_modules/nonet/data/mock/garden.yaml')
assert.equal((await fetch(api.url + '/plants/1')).status, 200)
await api.stop()
console.log('fine')
`

function makeProject(folder: string, clone: string): void {
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(clone, join(folder, 'node_modules/nonet'), 'junction')
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
}

/** Without the dependencies. */
function cloneInto(folder: string, sources: string): void {
  for (const name of ['bin', 'exports', sources, 'package.json']) {
    cpSync(join(ROOT, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.includes('node_modules')
    })
  }
}

function importIn(cwd: string, source: string, node = process.execPath) {
  return spawnSync(node, ['--input-type=module', '-e', source], {
    cwd,
    encoding: 'utf8'
  })
}

describe('a project that depends on a clone', () => {
  test('imports the sources', () => {
    using folder = temporaryFolder()
    makeProject(folder.path, ROOT)
    writeFileSync(join(folder.path, 'use.js'), USE)
    const printed = execFileSync(process.execPath, ['use.js'], {
      cwd: folder.path,
      encoding: 'utf8'
    })
    assert.equal(printed, 'fine\n')
  })

  test('a CommonJS project requires them', () => {
    using folder = temporaryFolder()
    makeProject(folder.path, ROOT)
    writeFileSync(join(folder.path, 'use.cjs'), `console.log(typeof require('nonet').start)`)
    const options = { cwd: folder.path, encoding: 'utf8' } as const
    assert.equal(execFileSync(process.execPath, ['use.cjs'], options), 'function\n')
  })

  test('a clone without dependencies says what to do', () => {
    using folder = temporaryFolder()
    using clone = temporaryFolder()
    cloneInto(clone.path, 'src')
    makeProject(folder.path, clone.path)
    const { status, stderr } = importIn(folder.path, `import 'nonet'`)
    assert.equal(status, 1)
    const message = `The clone of nonet in ${clone.path} has no dependencies yet: run npm start there once.`
    assert.ok(stderr.includes(`Error: ${message}\n`), stderr)
    assert.equal(importIn(folder.path, `import 'nonet/forms/fetch'`).status, 0)
  })

  test('an older Node than the sources need is told, and imports the portable part', () => {
    using folder = temporaryFolder()
    makeProject(folder.path, ROOT)
    const node22 = nodeBinaries().find(({ version }) => version === '22')?.path
    const { status, stderr } = importIn(folder.path, `import 'nonet'`, node22)
    assert.equal(status, 1)
    assert.match(
      stderr,
      /Error: The sources of nonet in \S+ need Node 24 or newer, this is Node 22\./
    )
    assert.equal(importIn(folder.path, `import 'nonet/forms/fetch'`, node22).status, 0)
  })

  test('a copy of a clone below node_modules says what to do', () => {
    using folder = temporaryFolder()
    cloneInto(join(folder.path, 'node_modules/nonet'), 'src/main.ts')
    const { status, stderr } = importIn(folder.path, `import 'nonet/mock'`)
    assert.equal(status, 1)
    assert.match(stderr, /is not compiled: install the tarball that npm pack makes in a clone\.\n/)
  })

  test('each export has the names of its source file', async () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const conditions = Object.values<Record<string, string>>(exports).filter(({ types }) => types)
    assert.equal(conditions.length, 6)
    for (const { types = '', node, default: other = '' } of conditions) {
      const source = types.replace('./dist/', 'src/').replace('.d.ts', '.ts')
      const wanted = await import(join(ROOT, source))
      const given = await import(join(ROOT, node ?? other))
      assert.deepEqual(Object.keys(given), Object.keys(wanted), source)
      for (const name of Object.keys(wanted)) assert.equal(given[name], wanted[name], name)
    }
  })
})
