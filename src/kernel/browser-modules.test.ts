import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { browserModulesIn } from './browser-modules.ts'

const folder = mkdtempSync(join(tmpdir(), 'nonet-modules-'))
after(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'typed.ts'), 'export const a: number = 1\n')
writeFileSync(join(folder, 'plain.js'), 'export const b = 2\n')
writeFileSync(join(folder, 'page.css'), 'p { color: red }\n')
const modules = browserModulesIn(pathToFileURL(`${folder}/`))

test('types are stripped, and the response has the headers of a script', () => {
  const found = modules.respond('typed', undefined)
  assert.equal(found?.status, 200)
  assert.match(found.body ?? '', /^export const a +=? ?/)
  assert.doesNotMatch(found.body ?? '', /number/)
  assert.equal(found.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(found.headers['cache-control'], 'no-cache')
})

test('compiled modules are sent unchanged', () => {
  assert.equal(modules.respond('plain', undefined)?.body, 'export const b = 2\n')
})

test('a client that has the module gets no body', () => {
  const { headers } = modules.respond('plain', undefined) ?? assert.fail()
  assert.deepEqual(modules.respond('plain', headers.etag), { status: 304, headers })
  assert.equal(modules.respond('plain', '"other"')?.status, 200)
})

test('a name without a module in the folder is not found', () => {
  for (const name of ['page', 'typed.ts', '../typed', '', 'constructor']) {
    assert.equal(modules.respond(name, undefined), undefined, name)
  }
})
