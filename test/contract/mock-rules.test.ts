/** Rules for messages: every step, phase, expression and condition, mocked and in front of a server. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { upstreamAt } from '../../src/services/mock/engine/options.ts'
import { compare, type Expected, type Sent, send } from '../support/contract.ts'
import { violationsIn } from '../support/mock-rows.ts'
import { openMock } from '../support/mock-server.ts'
import { answerThing, LIST, THING, things } from '../support/mock-things.ts'
import { openUpstream, type Received, type Upstream } from '../support/mock-upstream.ts'

interface RuleRow {
  proves: string
  rules: readonly object[]
  send?: Sent
  expect: Expected
  /** What reaches the upstream, when there is one. */
  received?: (request: Received) => void
  only?: 'mock' | 'proxy'
  /** It counts, so that a second answer is another. */
  counts?: boolean
}

const get: Sent = { path: '/things/7?q=3', headers: { 'x-a': 'sent', accept: '*/*' } }
const post: Sent = {
  method: 'POST',
  path: '/things',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ id: 5, name: 'five', tags: ['x'], note: null })
}
const answer = { operationId: 'getThing' }

/** Shows a value in a header of the answer. */
function shown(value: string, match: object = answer): object {
  return { match, do: [{ setHeader: { 'x-shown': value } }] }
}

function shows(text: string | RegExp | null, status = 200): Expected {
  return { status, headers: { 'x-shown': text } }
}

function when(condition: object): object {
  return { match: answer, when: condition, do: [{ setHeader: { 'x-shown': 'met' } }] }
}

function request(...steps: object[]): object {
  return { phase: 'request', do: steps }
}

function changed(...steps: object[]): object[] {
  return [{ match: answer, do: steps }]
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

const steps: RuleRow[] = [
  {
    proves: 'setHeader sets, several lines for a list, and nothing for null',
    rules: changed({
      setHeader: { 'X-A': 'one', 'x-b': ['b', 'c'], 'x-n': 7, 'x-none': '{$request.query.none}' }
    }),
    expect: {
      status: 200,
      json: THING,
      headers: { 'x-a': 'one', 'x-b': 'b, c', 'x-n': '7', 'x-none': null }
    }
  },
  {
    proves: 'setHeader cannot break out of its line',
    rules: [shown('{$request.body#/name}', { operationId: 'makeThing' })],
    send: { ...post, body: JSON.stringify({ id: 1, name: 'a\r\nset-cookie: b=ü' }) },
    expect: { ...shows('a%0D%0Aset-cookie: b=%C3%BC', 201), type: 'application/json' }
  },
  {
    proves: 'removeHeader and renameHeader',
    rules: changed(
      { setHeader: { 'x-a': '1', 'x-b': '2', 'x-c': '3' } },
      { removeHeader: 'X-A' },
      { removeHeader: ['x-none', 'x-c'] },
      { renameHeader: { 'X-B': 'x-shown', 'x-none': 'x-other' } }
    ),
    expect: { status: 200, headers: { 'x-a': null, 'x-b': null, 'x-c': null, 'x-shown': '2' } }
  },
  {
    proves: 'setStatus, and the body of another response goes with it',
    rules: changed({ setStatus: 404 }, { replaceBody: { message: 'no {$request.path.id}' } }),
    expect: { status: 404, json: { message: 'no 7' }, headers: { 'sl-violations': null } }
  },
  {
    proves: 'a status without content has none',
    rules: changed({ setStatus: 204 }),
    expect: { status: 204, text: '', headers: { 'content-type': null, 'content-length': null } }
  },
  {
    proves: 'patch: add, replace, remove, copy, move and test',
    rules: changed({
      patch: [
        { op: 'test', path: '/id', value: 1 },
        { op: 'replace', path: '/id', value: '{$request.path.id}' },
        { op: 'add', path: '/tags/1', value: 'between' },
        { op: 'add', path: '/tags/-', value: 'last' },
        { op: 'copy', from: '/name', path: '/nick' },
        { op: 'move', from: '/inner', path: '/outer' },
        { op: 'remove', path: '/tags/0' }
      ]
    }),
    expect: {
      status: 200,
      json: {
        id: 7,
        name: 'one',
        tags: ['between', 'b', 'last'],
        nick: 'one',
        outer: { deep: true }
      }
    }
  },
  {
    proves: 'a patch that does not fit changes nothing, and says so',
    rules: changed({
      patch: [
        { op: 'replace', path: '/id', value: 9 },
        { op: 'remove', path: '/none' }
      ]
    }),
    expect: {
      status: 200,
      json: THING,
      check: (got) => {
        assert.deepEqual(violationsIn(got), [
          {
            location: ['response', 'transform'],
            severity: 'Warning',
            code: 'transform',
            message: 'Rule rules.yaml#/rules/0 could not patch: /none does not exist'
          }
        ])
      }
    }
  },
  {
    proves: 'merge goes into objects, replaces all else, and removes by null',
    rules: changed({ merge: { inner: { deep: false }, tags: ['new'], name: null, id: 2 } }),
    expect: { status: 200, json: { id: 2, tags: ['new'], inner: { deep: false } } }
  },
  {
    proves: 'replaceBody keeps the type of the answer, and its length is right',
    rules: changed({ replaceBody: [1, { two: '{$request.query.q}' }, 'drei – ü'] }),
    expect: { status: 200, type: 'application/json', text: '[1,{"two":3},"drei – ü"]' }
  },
  {
    proves: 'pick keeps what is named',
    rules: changed({ pick: ['/id', '/inner/deep', '/tags/1'] }),
    expect: { status: 200, json: { id: 1, tags: ['b'], inner: { deep: true } } }
  },
  {
    proves: 'omit takes out what is named',
    rules: changed({ omit: ['/inner/deep', '/tags/0'] }, { omit: '/name' }),
    expect: { status: 200, json: { id: 1, tags: ['b'], inner: {} } }
  },
  {
    proves: 'pick and omit reach every item of a list by *',
    rules: [{ match: { operationId: 'listThings' }, do: [{ omit: '/*/secret' }] }],
    send: { path: '/list' },
    expect: { status: 200, json: LIST.map(({ id }) => ({ id })) }
  },
  {
    proves: 'a text is changed as a text',
    rules: [
      { match: { operationId: 'getText' }, do: [{ replaceBody: '{$response.body#}, and more' }] }
    ],
    send: { path: '/text' },
    expect: { status: 200, type: 'text/plain', text: 'plain words, and more' }
  },
  {
    proves: 'XML is changed as what it says, and written as its schema asks',
    rules: [{ match: { operationId: 'getXml' }, do: [{ merge: { name: 'two & more', id: 2 } }] }],
    send: { path: '/xml' },
    expect: {
      status: 200,
      type: 'application/xml',
      text: /<thing id="2"><name>two &amp; more<\/name><\/thing>$/
    }
  },
  {
    proves: 'another type in the header is what the body is written as',
    rules: changed({ setHeader: { 'content-type': 'text/plain' } }, { replaceBody: 'words' }),
    expect: { status: 200, type: 'text/plain', text: 'words' }
  },
  {
    proves: 'delay waits',
    rules: changed(
      { delay: 60 },
      { delay: { least: 1, most: 2 } },
      { delay: '{$request.path.id}' }
    ),
    expect: { status: 200, json: THING }
  }
]

const requests: RuleRow[] = [
  {
    proves: 'request: headers are set, removed and renamed before anybody looks at them',
    rules: [
      request(
        { setHeader: { 'x-new': 'n' } },
        { removeHeader: 'x-a' },
        { renameHeader: { 'x-new': 'x-newer' } }
      ),
      shown('{$request.header.x-newer} {$request.header.x-a|gone}')
    ],
    expect: shows('n gone'),
    received: ({ headers }) => {
      assert.equal(headers['x-newer'], 'n')
      assert.equal(headers['x-a'], undefined)
    }
  },
  {
    proves: 'request: the query is set and removed',
    rules: [
      request(
        { setQuery: { more: ['a b', 'c&d'], none: '{$request.query.none}' } },
        { removeQuery: 'q' }
      ),
      shown('{$request.query.more} {$request.query.q|gone}')
    ],
    expect: shows('a b gone'),
    received: ({ url }) => assert.equal(url, '/things/7?more=a%20b&more=c%26d')
  },
  {
    proves: 'request: what a rule sets is checked like what a client sends',
    rules: [request({ setQuery: { q: 'no number' } })],
    expect: { status: 422 },
    only: 'mock'
  },
  {
    proves: 'request: rewritePath has the request routed again',
    rules: [
      {
        phase: 'request',
        match: { path: '/old/**' },
        do: [{ rewritePath: { prefix: '/old', with: '' } }]
      },
      shown('{$request.path.id}')
    ],
    send: { path: '/old/things/8' },
    expect: shows('8'),
    received: ({ url }) => assert.equal(url, '/things/8')
  },
  {
    proves: 'request: what is filled into a path stays in its segment',
    rules: [
      { match: answer, phase: 'request', do: [{ rewritePath: '/things/{$request.header.x-a}' }] }
    ],
    send: { path: '/things/7', headers: { 'x-a': '../list?x=1' } },
    expect: { status: 422 },
    only: 'mock'
  },
  {
    proves: 'request: rules after a rewritten path are those of the new operation, none runs twice',
    rules: [
      { match: answer, phase: 'request', do: [{ rewritePath: '/list' }] },
      { match: answer, phase: 'request', do: [{ setHeader: { 'x-b': 'wrong' } }] },
      {
        match: { operationId: 'listThings' },
        phase: 'request',
        do: [{ setHeader: { 'x-b': 'right' } }, { rewritePath: '/things/9' }]
      },
      shown('{$request.header.x-b} {$request.path.id}')
    ],
    expect: shows('right 9')
  },
  {
    proves: 'request: the body is changed before it is checked',
    rules: [
      {
        phase: 'request',
        match: { operationId: 'makeThing' },
        do: [
          { merge: { name: 'renamed' } },
          { omit: '/note' },
          { patch: [{ op: 'remove', path: '/tags/0' }] }
        ]
      },
      shown('{$request.body#}', { operationId: 'makeThing' })
    ],
    send: post,
    expect: shows('{"id":5,"name":"renamed","tags":[]}', 201),
    received: ({ headers, body }) => {
      assert.equal(String(body), '{"id":5,"name":"renamed","tags":[]}')
      assert.equal(headers['content-length'], String(body.length))
    }
  },
  {
    proves: 'request: replaceBody and pick',
    rules: [
      {
        phase: 'request',
        match: { operationId: 'makeThing' },
        do: [
          { replaceBody: { id: 6, name: '{$request.body#/name}', more: 1 } },
          { pick: ['/id', '/name'] }
        ]
      },
      shown('{$request.body#}', { operationId: 'makeThing' })
    ],
    send: post,
    expect: shows('{"id":6,"name":"five"}', 201),
    received: ({ body }) => assert.equal(String(body), '{"id":6,"name":"five"}')
  },
  {
    proves: 'request: a preference that a rule sets counts',
    rules: [
      {
        match: answer,
        phase: 'request',
        when: { '$request.path.id': 7 },
        do: [{ setHeader: { prefer: 'code=404' } }]
      }
    ],
    expect: { status: 404, json: { message: 'no such thing' } },
    only: 'mock'
  },
  {
    proves: 'upstream: what is sent on is changed, what was checked and is spoken of is not',
    rules: [
      {
        match: answer,
        phase: 'upstream',
        do: [
          { setHeader: { 'x-key': '{$request.header.x-a}' } },
          { removeHeader: 'x-a' },
          { setQuery: { page: 2 } },
          { removeQuery: 'q' },
          { rewritePath: '/elsewhere/{$request.path.id}' }
        ]
      },
      shown('{$request.header.x-a} {$request.query.q} {$request.query.page|none}')
    ],
    expect: shows('sent 3 none'),
    only: 'proxy',
    received: ({ url, headers }) => {
      assert.equal(url, '/elsewhere/7?page=2')
      assert.equal(headers['x-key'], 'sent')
      assert.equal(headers['x-a'], undefined)
    }
  },
  {
    proves: 'upstream: the body that is sent on',
    rules: [
      {
        match: { operationId: 'makeThing' },
        phase: 'upstream',
        do: [
          { patch: [{ op: 'move', from: '/name', path: '/title' }] },
          { omit: ['/note', '/tags'] }
        ]
      },
      shown('{$request.body#/name}', { operationId: 'makeThing' })
    ],
    send: post,
    expect: shows('five', 201),
    only: 'proxy',
    received: ({ body }) => assert.equal(String(body), '{"id":5,"title":"five"}')
  },
  {
    proves: 'upstream: without one the rule is never followed',
    rules: [{ match: answer, phase: 'upstream', do: [{ fault: 'reset' }] }],
    expect: { status: 200, json: THING },
    only: 'mock'
  }
]

const phases: RuleRow[] = [
  {
    proves: 'response: what comes out is checked',
    rules: changed({ merge: { id: 'seven' } }),
    expect: {
      status: 200,
      json: { ...THING, id: 'seven' },
      check: (got) => {
        assert.deepEqual(violationsIn(got), [
          {
            location: ['response', 'body', 'id'],
            severity: 'Error',
            code: 'type',
            message: 'Response body property id must be integer'
          }
        ])
      }
    }
  },
  {
    proves: 'final: what comes out is not checked any more',
    rules: [{ match: answer, phase: 'final', do: [{ merge: { id: 'seven' } }] }],
    expect: { status: 200, json: { ...THING, id: 'seven' }, headers: { 'sl-violations': null } }
  },
  {
    proves: 'final: sees the violations of the answer',
    rules: [
      { match: answer, do: [{ merge: { id: 'x' } }] },
      {
        match: answer,
        phase: 'final',
        when: { '$response.header.sl-violations': { exists: true } },
        do: [{ setStatus: 502 }, { removeHeader: 'sl-violations' }, { pick: '/id' }]
      }
    ],
    expect: { status: 502, json: { id: 'x' }, headers: { 'sl-violations': null } }
  },
  {
    proves: 'final: sees problems too',
    rules: [
      {
        phase: 'final',
        match: { status: 422 },
        do: [{ setStatus: 400 }, { replaceBody: { error: '{$response.body#/code}' } }]
      }
    ],
    send: { path: '/things/seven' },
    expect: { status: 400, json: { error: 'UNPROCESSABLE_ENTITY' } },
    only: 'mock'
  },
  {
    proves: 'final: sees requests that meet no operation, by what was sent',
    rules: [
      { phase: 'final', match: { status: 404 }, do: [{ setHeader: { 'x-shown': '{$url}' } }] }
    ],
    send: { path: '/nowhere', headers: { host: 'a.example' } },
    expect: shows(/^http:\/\/127\.0\.0\.1:\d+\/nowhere$/, 404),
    only: 'mock'
  },
  {
    proves: 'final: answers a path that nobody documented',
    rules: [
      {
        phase: 'final',
        match: { path: '/sign-in', method: 'POST' },
        do: [{ setStatus: 200 }, { replaceBody: { token: 'let-me-in' } }]
      }
    ],
    send: { method: 'POST', path: '/sign-in' },
    expect: { status: 200, json: { token: 'let-me-in' } },
    only: 'mock'
  },
  {
    proves: 'rules are followed in their order, and each sees what the one before did',
    rules: [
      ...changed({ merge: { id: 2 } }),
      { match: answer, when: { '$response.body#/id': 2 }, do: [{ merge: { id: 3 } }] },
      shown('{$response.body#/id}')
    ],
    expect: { ...shows('3'), json: { ...THING, id: 3 } }
  },
  {
    proves: 'a rule that is not met leaves the bytes alone',
    rules: [{ match: answer, when: { $method: 'PUT' }, do: [{ replaceBody: 1 }] }],
    expect: { status: 200, text: JSON.stringify(THING) }
  }
]

const matches: RuleRow[] = [
  ...[
    ['operationId', { operationId: ['none', 'getThing'].slice(1) }],
    ['tag', { tag: 'things' }],
    ['method', { method: ['get', 'PUT'] }],
    ['path', { path: '/things/*' }],
    ['path as documented', { path: '/things/{id}' }],
    ['path of any depth', { path: '/**' }],
    ['status', { status: 200 }],
    ['range of statuses', { status: ['404', '2XX'] }],
    ['mediaType', { mediaType: 'application/json' }],
    ['range of media types', { mediaType: 'application/*' }]
  ].map(
    ([name, match]): RuleRow => ({
      proves: `match: ${name} fits`,
      rules: [shown('met', match as object)],
      expect: shows('met')
    })
  ),
  ...[
    ['operationId', { operationId: 'makeThing' }],
    ['method', { method: 'POST' }],
    ['path', { path: '/things' }],
    ['status', { status: [404, '5XX'] }],
    ['mediaType', { mediaType: 'text/*' }]
  ].map(
    ([name, match]): RuleRow => ({
      proves: `match: another ${name} does not`,
      rules: [shown('met', match as object)],
      expect: shows(null)
    })
  )
]

const expressions: RuleRow[] = [
  ...(
    [
      ['{$url}', /^http:\/\/127\.0\.0\.1:\d+\/things\/7\?q=3$/],
      ['{$method}', 'GET'],
      ['{$statusCode}', '200'],
      ['{$request.path.id}', '7'],
      ['{$request.query.q}', '3'],
      ['{$request.header.X-A}', 'sent'],
      ['{$response.header.content-type}', 'application/json'],
      ['{$response.body#/name}', 'one'],
      ['{$response.body#/tags/1}', 'b'],
      ['{$response.body#/inner}', '{"deep":true}'],
      ['{$response.body#/inner/none}', null],
      ['a {$request.query.none} b', 'a  b'],
      ['{$request.query.none|text}', 'text'],
      ['{$request.query.none|7} {$request.query.none|"7"}', '7 7'],
      ['{$uuid}', uuid],
      ['{$now}', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
      ['{$seq}', '1'],
      ['{$faker.person.firstName}', /^\w/],
      ['{$state.things#/0/id|none}', 'none'],
      ['{$$url} {x} {} {{', '{$url} {x} {} {{'],
      ['{$request.header.constructor|none} {$request.query.__proto__|none}', 'none none'],
      ['{$response.body#/__proto__|none} {$response.body#/constructor|none}', 'none none']
    ] as const
  ).map(
    ([value, expected]): RuleRow => ({
      proves: `expression ${value}`,
      rules: [shown(value)],
      counts: value === '{$seq}',
      expect: shows(expected)
    })
  ),
  {
    proves: 'expression {$request.body#/tags/0}',
    rules: [
      shown('{$request.body#/tags/0} {$request.body#/note|none}', { operationId: 'makeThing' })
    ],
    send: post,
    expect: shows('x none', 201)
  },
  {
    proves: 'one expression alone keeps its type; what is missing is null',
    rules: changed({
      replaceBody: {
        path: '{$request.path.id}',
        text: '{$request.path.id}.',
        inner: '{$response.body#/inner}',
        missing: '{$request.query.none}',
        number: '{$request.query.none|7}',
        status: '{$statusCode}'
      }
    }),
    expect: {
      status: 200,
      json: { path: 7, text: '7.', inner: { deep: true }, missing: null, number: 7, status: 200 }
    }
  }
]

const conditions: RuleRow[] = (
  [
    ['equality of a parameter, whatever its type', { '$request.path.id': '7' }, true],
    ['equality of a number', { '$request.path.id': 7 }, true],
    ['inequality', { '$request.path.id': 8 }, false],
    ['in a body the type counts', { '$response.body#/id': '1' }, false],
    ['equality of an object', { '$response.body#/inner': { equals: { deep: true } } }, true],
    ['equality of a list', { '$response.body#/tags': ['a', 'b'] }, true],
    ['equality with an expression', { '$request.query.q': '{$request.query.q}' }, true],
    ['what is missing equals null', { '$request.query.none': null }, true],
    ['exists', { '$request.query.q': { exists: true } }, true],
    ['exists not', { '$request.query.none': { exists: false } }, true],
    ['exists, but is not there', { '$request.query.none': { exists: true } }, false],
    ['in', { '$request.path.id': { in: [1, 7] } }, true],
    ['not in', { '$request.path.id': { in: [1, 2] } }, false],
    ['matches', { '$request.header.x-a': { matches: '^se.t$' } }, true],
    ['does not match', { '$request.header.x-a': { matches: '^x' } }, false],
    ['a number matches as its text', { '$request.path.id': { matches: '^\\d$' } }, true],
    ['several operators', { '$request.path.id': { exists: true, in: [8] } }, false],
    ['several members', { '$request.path.id': 7, $method: 'GET' }, true],
    ['several members, one not', { '$request.path.id': 7, $method: 'PUT' }, false],
    ['and', { and: [{ $method: 'GET' }, { '$request.path.id': 7 }] }, true],
    ['and, one not', { and: [{ $method: 'GET' }, { '$request.path.id': 8 }] }, false],
    ['or', { or: [{ $method: 'PUT' }, { '$request.path.id': 7 }] }, true],
    ['or, none', { or: [{ $method: 'PUT' }, { '$request.path.id': 8 }] }, false],
    ['not', { not: { $method: 'PUT' } }, true],
    ['not, nested', { not: { or: [{ $method: 'GET' }, { $seq: 9 }] } }, false],
    ['the answer', { $statusCode: 200, '$response.body#/name': 'one' }, true],
    ['in braces', { '{$request.path.id}': 7 }, true]
  ] as const
).map(([name, condition, isMet]) => ({
  proves: `condition: ${name}`,
  rules: [when(condition)],
  expect: shows(isMet ? 'met' : null)
}))

const rows = [...steps, ...requests, ...phases, ...matches, ...expressions, ...conditions]

for (const mode of ['mock', 'proxy'] as const) {
  describe(`rules, ${mode === 'mock' ? 'mocked' : 'in front of a server'}`, () => {
    let upstream: Upstream
    before(async () => {
      upstream = await openUpstream(answerThing)
    })
    after(() => upstream.close())

    for (const row of rows) {
      if (row.only !== undefined && row.only !== mode) continue
      test(row.proves, async () => {
        const options = mode === 'mock' ? {} : { upstream: upstreamAt(new URL(upstream.url)) }
        await using mock = await openMock(things, options, {}, { rules: row.rules })
        upstream.received.length = 0
        // The third answer of the mock may be the second once more.
        const times = mode === 'mock' && !row.counts ? 3 : 1
        for (let time = 0; time < times; time++) {
          await compare(await send(mock.url, row.send ?? get), row.expect)
        }
        const [received] = upstream.received
        if (mode === 'proxy' && row.received) row.received(received ?? assert.fail('not sent on'))
        assert.deepEqual(mock.defects, [])
      })
    }
  })
}
