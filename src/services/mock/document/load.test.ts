import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserError } from '../../../kernel/errors.ts'
import { loadDocument } from './load.ts'

function load(files: Record<string, string>) {
  return loadDocument(new URL('file:///api/root.yaml'), async ({ pathname }) => {
    const text = files[pathname.slice('/api/'.length)]
    if (text === undefined) throw new UserError(`no ${pathname}`)
    return text
  })
}

test('YAML in several files, all of which are named', async () => {
  const { document, files, version, findings } = await load({
    'root.yaml': "openapi: '3.0.3'\npaths:\n  /a:\n    $ref: a.yaml\n",
    'a.yaml': 'get:\n  responses:\n    200: { $ref: b.json#/ok }\n',
    'b.json': '{"ok": {"description": "fine"}}'
  })
  assert.deepEqual(
    files,
    ['root.yaml', 'a.yaml', 'b.json'].map((name) => `file:///api/${name}`)
  )
  assert.equal(version, '3.0.3')
  assert.deepEqual(findings, [])
  assert.deepEqual(document.components, { responses: { ok: { description: 'fine' } } })
})

test('a file that cannot be read is reported, and watched nevertheless', async () => {
  const { files, findings } = await load({
    'root.yaml': 'openapi: 3.1.0\npaths: { /a: { $ref: gone.yaml } }'
  })
  assert.deepEqual(findings, [
    { level: 'error', where: '/api/gone.yaml', text: 'no /api/gone.yaml' }
  ])
  assert.equal(files.at(-1), 'file:///api/gone.yaml')
})

const BROKEN: [string, string, RegExp][] = [
  ['broken YAML names the line', 'a: [1\nb: }', /root\.yaml cannot be read: .*line \d/],
  ['broken JSON too', '{"a": 1,, "b": 2}', /root\.yaml cannot be read: .*line 1/],
  ['an array', '[]', /must contain an object/],
  ['an empty file', '', /must contain an object/],
  ['deep nesting', `{"a":${'['.repeat(600)}${']'.repeat(600)}}`, /nested deeper/],
  ['an alias bomb', bomb(), /cannot be read: Excessive alias count/]
]
for (const [name, text, message] of BROKEN) {
  test(`rejected with a message: ${name}`, async () => {
    await assert.rejects(load({ 'root.yaml': text }), (error) => {
      assert.ok(error instanceof UserError)
      assert.match(error.message, message)
      return true
    })
  })
}

function bomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 10; level++) {
    lines.push(
      `a${level}: &a${level} [${Array(10)
        .fill(`*a${level - 1}`)
        .join(', ')}]`
    )
  }
  return lines.join('\n')
}
