import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JSON_VECTORS } from '../support/json-vectors.ts'
import { type Boxes, failure, KEY, OTHER_KEY, scenes } from './boxes-scene.ts'

const OWNER = { 'x-api-key': KEY }
const ID = '65f0c1d2a3b4c5d6e7f80910'

async function exported({ ask }: Boxes, box: string, headers = {}): Promise<string> {
  const answer = await ask(`GET /_export/${box}`, undefined, headers)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers.get('content-type'), 'application/x-ndjson; charset=utf-8')
  return answer.text
}

async function imported({ ask }: Boxes, box: string, lines: string, headers = {}) {
  const answer = await ask(`POST /_import/${box}`, lines, headers)
  return { status: answer.status, ...JSON.parse(answer.text) }
}

function counts(created: number, replaced = 0, unchanged = 0) {
  return { status: 200, created, replaced, unchanged, refused: 0, errors: [] }
}

scenes('I-2, records as lines', {}, (boxes) => {
  test('export, import and export again is the same to the byte, whatever the records', async () => {
    const { ask, store, get } = boxes()
    for (const [n, raw] of Object.values(JSON_VECTORS).entries()) {
      const { _id } = await store(n % 2 ? '/first/some' : '/first', raw)
      if (n % 3 === 0) await ask(`PUT /first/${_id}`, raw)
    }
    const file = await exported(boxes(), 'first')
    const count = Object.keys(JSON_VECTORS).length
    assert.equal(file.split('\n').length, count + 1)
    assert.deepEqual(await imported(boxes(), 'second', file), counts(count))
    assert.equal(await exported(boxes(), 'second'), file)
    const lists = await Promise.all(
      ['first', 'second'].map(async (box) => (await ask(`GET /${box}?limit=0`)).text)
    )
    assert.equal(lists[0], lists[1])
    const { _count, ...rest } = await get<Record<string, unknown>>('/_meta/first')
    assert.deepEqual(await get('/_meta/second'), { _count, ...rest })
  })

  test('a file that is imported again changes nothing, and a changed line its record only', async () => {
    const { get, store } = boxes()
    await store('/again', '[{"n":1},{"n":2},{"n":3}]')
    const file = await exported(boxes(), 'again')
    const before = await get<{ seq: number }>('/_changes/again?since=now')
    assert.deepEqual(await imported(boxes(), 'again', file), counts(0, 0, 3))
    assert.deepEqual(await get('/_changes/again?since=now'), before)
    const edited = file.replace('"n":2', '"n":22')
    assert.deepEqual(await imported(boxes(), 'again', edited), counts(0, 1, 2))
    assert.equal(await exported(boxes(), 'again'), edited)
  })

  test('a line needs no id and no dates; with an id alone it is an update like any other', async () => {
    const { get } = boxes()
    const lines = `{"a":1}\n\n{"_id":"${ID.toUpperCase()}","b": 1.0,"_collection":"c d"}\r\n`
    assert.deepEqual(await imported(boxes(), 'bare', lines), counts(2))
    const [made] = await get('/bare/c%20d')
    assert.equal(made?._id, ID)
    assert.equal(made?._updatedOn, undefined)
    const change = `{"_id":"${ID}","b":2,"_collection":"c d"}`
    assert.deepEqual(await imported(boxes(), 'bare', change), counts(0, 1))
    const [changed] = await get('/bare/c%20d')
    assert.equal(changed?._createdOn, made?._createdOn)
    assert.match(String(changed?._updatedOn), /Z$/)
    assert.deepEqual(await imported(boxes(), 'bare', change), counts(0, 0, 1))
  })

  test('bad lines are told by their number, and the good ones are stored', async () => {
    const { get } = boxes()
    const long = `{"x":"${'x'.repeat(4_000_000)}"}`
    const lines = [
      ...['{"n":1}', '{"n":}', '{"_id":"7"}', '[{"n":1}]', '"text"', long, '{"n":2}'],
      ...['{"_createdOn":"2999-01-01T00:00:00Z"}', '{"\xff":1}', '{"n":3}']
    ]
    const answer = await imported(boxes(), 'mixed', lines.join('\n'))
    assert.equal(answer.status, 422)
    assert.equal(answer.code, 'lines_refused')
    assert.match(answer.message, /^6 of 10 lines were rejected/)
    assert.deepEqual(
      answer.errors.map(({ line, code }: { line: number; code: string }) => [line, code]),
      [
        ...[
          [2, 'invalid_json'],
          [3, 'line_invalid'],
          [4, 'line_invalid'],
          [5, 'invalid_json']
        ],
        ...[
          [6, 'body_too_large'],
          [8, 'line_invalid']
        ]
      ]
    )
    assert.equal(answer.errors[0].position, 5)
    assert.deepEqual(answer.created, 4)
    assert.equal((await get('/mixed')).length, 4)
  })

  test('bytes that are no UTF-8 are refused with their line', async () => {
    const { ask } = boxes()
    const lines = Buffer.concat([Buffer.from('{}\n{"a":"'), Buffer.from([0xff]), Buffer.from('"}')])
    const answer = await ask('POST /_import/bytes', new Uint8Array(lines))
    const { line, code, position } = JSON.parse(answer.text).errors[0]
    assert.deepEqual([line, code, position], [2, 'invalid_utf8', 6])
  })

  test('the same id twice in a file: the later line stands', async () => {
    const lines = `{"_id":"${ID}","n":1}\n{"_id":"${ID}","n":2}\n`
    assert.deepEqual(await imported(boxes(), 'twice', lines), counts(1, 1))
    assert.match(await exported(boxes(), 'twice'), /"n":2/)
  })

  test('a collection, or what matches', async () => {
    const { ask, store } = boxes()
    await store('/parts', '[{"n":1},{"n":2}]')
    await store('/parts/some', '{"n":1}')
    for (const [path, count] of [
      ['/_export/parts', 3],
      ['/_export/parts/some', 1],
      ['/_export/parts?q=n:=1', 2],
      ['/_export/parts/none', 0],
      ['/_export/unknown', 0]
    ] as const) {
      const { text } = await ask(`GET ${path}`)
      assert.equal(text.split('\n').length - 1, count, path)
    }
  })

  test('an import writes, so it takes a key that may write', async () => {
    const { ask, store } = boxes()
    await store('/kept', '{}', OWNER)
    const issued = await store<{ key: string }>('/_keys/kept', '{"scopes":["create"]}', OWNER)
    for (const headers of [{}, { 'x-api-key': OTHER_KEY }, { 'x-api-key': issued.key }]) {
      assert.deepEqual(failure(await ask('POST /_import/kept', '{"n":1}', headers)), {
        status: 401,
        message: 'Invalid API_KEY.'
      })
    }
    assert.deepEqual(await imported(boxes(), 'kept', '{"n":1}', OWNER), counts(1))
    assert.deepEqual(await imported(boxes(), 'claimed', '{"n":1}', OWNER), counts(1))
    assert.equal((await ask('POST /claimed', '{}')).status, 401)
  })

  test('an import is told to whoever follows', async () => {
    const { get } = boxes()
    const old = '"_createdOn":"2020-01-02T03:04:05.678Z"'
    await imported(boxes(), 'told', `{"n":1}\n{"_id":"${ID}","n":2,${old}}`)
    const { changes } = await get<{ changes: { op: string; at: string }[] }>('/_changes/told')
    assert.ok(
      changes.every(({ at }) => at > '2026'),
      'a change is of now, whatever the record says'
    )
    assert.deepEqual(
      changes.map(({ op }) => op),
      ['create', 'create']
    )
  })

  test('many lines go through in batches, in their order', async () => {
    const lines = Array.from({ length: 2_345 }, (_, n) => `{"n":${n}}`).join('\n')
    assert.deepEqual(await imported(boxes(), 'many', lines), counts(2_345))
    const numbers = [...(await exported(boxes(), 'many')).matchAll(/"n":(\d+)/g)].map(([, n]) => n)
    assert.deepEqual(
      numbers,
      Array.from({ length: 2_345 }, (_, n) => String(n))
    )
  })
})
