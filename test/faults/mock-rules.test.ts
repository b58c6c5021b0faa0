/** Rules and documents that mean harm: nothing is run, nothing is polluted, nothing hangs. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UserError } from '../../src/kernel/errors.ts'
import { parseDocument } from '../../src/services/mock/document/parse.ts'
import { send } from '../support/contract.ts'
import { EFFORT } from '../support/effort.ts'
import { documentOf } from '../support/mock-rows.ts'
import { openMock } from '../support/mock-server.ts'
import { THING, things } from '../support/mock-things.ts'

const match = { operationId: 'getThing' }
const path = '/things/7'
const PATIENCE_MS = 10_000
/** Rules of twenty steps that each double the body. */
const RULES = EFFORT > 1 ? 50 : 4

/** JSON keeps `__proto__` as a member; an object literal would not. */
function parsed(text: string): object {
  return JSON.parse(text)
}

async function answersOf(rules: readonly object[], headers: Record<string, string> = {}) {
  await using mock = await openMock(things, {}, {}, { rules })
  const started = performance.now()
  const answer = await send(mock.url, { path, headers })
  assert.ok(performance.now() - started < PATIENCE_MS)
  assert.deepEqual(mock.defects, [])
  return answer
}

function assertClean(): void {
  const plain: Record<string, unknown> = {}
  assert.equal(plain.polluted, undefined)
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
  assert.equal(Array.prototype.length, 0)
}

describe('names of the prototype are ordinary names', () => {
  const rows: [proves: string, rule: string, expected: RegExp][] = [
    [
      'in a merge',
      '{"merge":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
      /"__proto__":\{"polluted":1\},"constructor":\{"prototype":\{"polluted":1\}\}/
    ],
    [
      'in a patch',
      '{"patch":[{"op":"add","path":"/__proto__","value":{"polluted":1}}]}',
      /"__proto__":\{"polluted":1\}/
    ],
    [
      'in the way of a patch',
      '{"patch":[{"op":"add","path":"/__proto__/polluted","value":1}]}',
      /^\{"id":1,/
    ],
    [
      'in the way of a patch, by constructor',
      '{"patch":[{"op":"add","path":"/constructor/prototype/polluted","value":1}]}',
      /^\{"id":1,/
    ],
    ['in a copy', '{"patch":[{"op":"copy","from":"/__proto__","path":"/polluted"}]}', /^\{"id":1,/],
    ['in omit', '{"omit":["/__proto__/toString","/constructor"]}', /^\{"id":1,/],
    ['in pick', '{"pick":["/__proto__","/toString"]}', /^\{\}$/],
    [
      'in a body',
      '{"replaceBody":{"__proto__":{"polluted":"{$url}"}}}',
      /^\{"__proto__":\{"polluted":"http/
    ]
  ]
  for (const [proves, step, expected] of rows) {
    test(proves, async () => {
      const { status, text } = await answersOf([{ match, do: [parsed(step)] }])
      assert.equal(status, 200)
      assert.match(text, expected)
      assertClean()
    })
  }

  for (const rule of [
    '{"do":[{"setHeader":{"__proto__":["a"]}}]}',
    '{"do":[{"renameHeader":{"x":"__proto__"}}]}',
    '{"do":[{"__proto__":{"a":1}}]}',
    '{"do":[{"constructor":1}]}',
    '{"__proto__":{"do":[]}}',
    '{"phase":"constructor","do":[{"delay":1}]}',
    '{"do":[{"fault":"toString"}]}',
    '{"when":{"__proto__":1},"do":[{"delay":1}]}',
    '{"do":[{"replaceBody":"{$constructor.constructor}"}]}',
    '{"do":[{"replaceBody":"{$faker.constructor.constructor}"}]}',
    '{"do":[{"replaceBody":"{$faker.__proto__.constructor}"}]}',
    '{"do":[{"replaceBody":"{$faker.helpers.fake}"}]}',
    '{"match":{"operationId":"__proto__"},"do":[{"delay":1}]}'
  ]) {
    test(`refused: ${rule}`, async () => {
      await assert.rejects(answersOf([parsed(rule)]), UserError)
      assertClean()
    })
  }

  test('in what a request says', async () => {
    const rules = [
      {
        match: { operationId: 'makeThing' },
        phase: 'request',
        do: [{ merge: { a: '{$request.body#/__proto__/polluted|none}' } }]
      },
      {
        match: { operationId: 'makeThing' },
        do: [{ replaceBody: { echo: '{$request.body#}', h: '{$request.header.__proto__|none}' } }]
      }
    ]
    await using mock = await openMock(things, {}, {}, { rules })
    const headers = { 'content-type': 'application/json' }
    const body = '{"id":1,"name":"n","__proto__":{"polluted":"p"}}'
    const { text } = await send(mock.url, { method: 'POST', path: '/things', headers, body })
    const echo = '{"id":1,"name":"n","__proto__":{"polluted":"p"},"a":"p"}'
    assert.equal(text, `{"echo":${echo},"h":"none"}`)
    assertClean()
  })
})

describe('nothing is run', () => {
  for (const value of [
    `\u0024{process.exit(1)}`,
    '{{constructor.constructor("process.exit(1)")()}}',
    '<%= process.exit(1) %>',
    `\`\u0024{process.exit(1)}\``
  ]) {
    test(value, async () => {
      const { text } = await answersOf([{ match, do: [{ replaceBody: { value } }] }])
      assert.deepEqual(JSON.parse(text), { value })
    })
  }

  test('hooks come from no document', async () => {
    const document = documentOf(
      {
        '/a': { get: { 'x-nonet-hooks': './evil.mjs', responses: { '200': { description: '' } } } }
      },
      { 'x-nonet-hooks': './evil.mjs', hooks: './evil.mjs' }
    )
    await using mock = await openMock(document)
    assert.equal((await fetch(`${mock.url}/a`)).status, 200)
  })
})

describe('nothing hangs', () => {
  const bombs = ['(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(.*a){12}$', '(?:a?){30}a{30}$', '(x+x+)+y']
  for (const matches of bombs) {
    test(`the pattern ${matches}`, async () => {
      const rules = [
        { match, when: { '$request.header.x-long': { matches } }, do: [{ setStatus: 404 }] }
      ]
      const { status } = await answersOf(rules, { 'x-long': `${'a'.repeat(8000)}!` })
      assert.equal(status, 200)
    })
  }

  test('a pattern that only backtracking can run is refused', async () => {
    const rules = [{ match, when: { $url: { matches: '(a*)*(?=b)\\1' } }, do: [{ delay: 1 }] }]
    await assert.rejects(answersOf(rules), UserError)
  })

  test('a path of many stars', async () => {
    const stars = '/**'.repeat(160)
    const rules = [
      { phase: 'request', match: { path: `${stars}/x` }, do: [{ rewritePath: '/things/1' }] }
    ]
    await using mock = await openMock(things, {}, {}, { rules })
    const started = performance.now()
    assert.equal((await send(mock.url, { path: '/a'.repeat(7000) })).status, 404)
    assert.ok(performance.now() - started < PATIENCE_MS)
  })

  test('an expression without end', async () => {
    const rules = [{ match, do: [{ replaceBody: `{$request.header.${'a'.repeat(5000)}}` }] }]
    await assert.rejects(answersOf(rules), UserError)
    const many = { value: '{$url}'.repeat(200_000) }
    const { text } = await answersOf([{ match, do: [{ replaceBody: many }] }])
    assert.equal(JSON.parse(text).value.length, 1_000_000)
    const header = { setHeader: { 'x-a': '{$url}'.repeat(2000) } }
    const { headers } = await answersOf([{ match, do: [header] }])
    assert.equal(headers.get('x-a'), null)
    assert.match(headers.get('sl-violations') ?? '', /x-a would be too long/)
  })

  test('conditions without end', async () => {
    let condition: object = { $method: 'GET' }
    for (let depth = 0; depth < 400; depth++) condition = { not: condition }
    await assert.rejects(answersOf([{ match, when: condition, do: [{ delay: 1 }] }]), UserError)
  })

  test('bodies that double, nest or repeat without end', async () => {
    const self = '{$response.body#}'
    for (const step of [
      { replaceBody: [self, self] },
      { replaceBody: `${self}${self}` },
      { merge: { more: self, again: self } },
      { patch: Array(1000).fill({ op: 'copy', from: '', path: '/copied' }) }
    ]) {
      const rules = Array.from({ length: RULES }, () => ({ match, do: Array(20).fill(step) }))
      const { status } = await answersOf(rules)
      assert.ok([200, 500].includes(status))
    }
    let deep: unknown = self
    for (let depth = 0; depth < 300; depth++) deep = [deep]
    const nested = Array.from({ length: 100 }, () => ({ match, do: [{ replaceBody: deep }] }))
    assert.equal((await answersOf(nested)).status, 500)
  })

  test('rules without number', async () => {
    const rules = Array.from({ length: 1001 }, () => ({ match, do: [{ delay: 0 }] }))
    await assert.rejects(answersOf(rules), UserError)
  })

  test('a merge of very many members against very many operations', async () => {
    const members = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`m${n}`, n]))
    const paths = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [
        `/p${n}`,
        {
          get: {
            responses: {
              '200': {
                description: '',
                content: {
                  'application/json': { schema: { type: 'object', properties: { a: {} } } }
                }
              }
            }
          }
        }
      ])
    )
    const started = performance.now()
    await using mock = await openMock(
      documentOf(paths),
      {},
      {},
      { rules: [{ do: [{ merge: members }] }] }
    )
    assert.ok(performance.now() - started < PATIENCE_MS)
    assert.equal((await send(mock.url, { path: '/p7' })).status, 200)
  })

  test('aliases of YAML that multiply', async () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]']
    for (let level = 1; level < 12; level++) {
      const inner = Array(9)
        .fill(`*a${level - 1}`)
        .join(', ')
      lines.push(`a${level}: &a${level} [${inner}]`)
    }
    await assert.rejects(parseDocument(lines.join('\n'), 'rules.yaml'), UserError)
  })

  test('many sessions', async () => {
    const rules = [{ match, do: [{ setHeader: { 'x-shown': '{$seq}' } }] }]
    await using mock = await openMock(things, {}, {}, { rules })
    for (let n = 0; n < 1020; n++) {
      await send(mock.url, { path, headers: { prefer: `session=s${n}` } })
    }
    const ask = async (session: string) =>
      (await send(mock.url, { path, headers: { prefer: `session=${session}` } })).headers.get(
        'x-shown'
      )
    assert.equal(await ask('s1019'), '2')
    assert.equal(await ask('s0'), '1')
  })
})

test('the answer that nobody changed is still the one of the document', async () => {
  assert.deepEqual(JSON.parse((await answersOf([])).text), THING)
})
