/** Where rules stand, what is wrong with them, and what they keep from one request to the next. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { upstreamAt } from '../../src/services/mock/engine/options.ts'
import { compare, send } from '../support/contract.ts'
import { documentOf, violationsIn } from '../support/mock-rows.ts'
import { type Changes, openMock } from '../support/mock-server.ts'
import { answerThing, THING, things } from '../support/mock-things.ts'
import { openUpstream } from '../support/mock-upstream.ts'

const header = (value: string) => ({ setHeader: { 'x-shown': value } })
const path = '/things/7'

async function shownBy(url: string, headers: Record<string, string> = {}): Promise<string | null> {
  const answer = await fetch(url + path, { headers })
  await answer.arrayBuffer()
  return answer.headers.get('x-shown')
}

describe('what rules keep', () => {
  test('$seq counts the requests that reach it, for each rule and each session', async () => {
    const rules = [
      { match: { operationId: 'getThing' }, do: [header('{$seq}')] },
      {
        match: { operationId: 'getThing' },
        when: { '$request.header.x-a': 'b', $seq: 2 },
        do: [{ setStatus: 404 }, { replaceBody: { message: 'second' } }]
      }
    ]
    await using mock = await openMock(things, {}, {}, { rules })
    assert.deepEqual([await shownBy(mock.url), await shownBy(mock.url)], ['1', '2'])
    const statuses = []
    for (const headers of [{}, { 'x-a': 'b' }, {}, { 'x-a': 'b' }, { 'x-a': 'b' }]) {
      statuses.push((await fetch(mock.url + path, { headers })).status)
    }
    assert.deepEqual(statuses, [200, 200, 200, 404, 200])
    assert.equal(await shownBy(mock.url, { prefer: 'session=a' }), '1')
    assert.equal(await shownBy(mock.url, { prefer: 'session=b' }), '1')
    assert.equal(await shownBy(mock.url, { prefer: 'session=a' }), '2')
    assert.equal(await shownBy(mock.url), '8')
  })

  test('with a seed, everything made up is the same again, and not without', async () => {
    const rules = [{ do: [header('{$uuid} {$now} {$faker.person.firstName} {$uuid}')] }]
    await using mock = await openMock(things, {}, {}, { rules })
    await using seeded = await openMock(things, { seed: 'spring' }, {}, { rules })
    const first = await shownBy(mock.url, { prefer: 'seed=spring' })
    assert.equal(await shownBy(mock.url, { prefer: 'seed=spring' }), first)
    assert.equal(await shownBy(seeded.url), first)
    assert.notEqual(await shownBy(mock.url, { prefer: 'seed=autumn' }), first)
    assert.notEqual(await shownBy(mock.url), await shownBy(mock.url))
    const [one, , , two] = first?.split(' ') ?? []
    assert.notEqual(one, two)
  })

  test('dates of Faker count from now, and with a seed from a fixed day', async () => {
    const rules = [{ do: [header('{$faker.date.recent}')] }]
    await using mock = await openMock(things, {}, {}, { rules })
    const age = Date.now() - Date.parse((await shownBy(mock.url)) ?? '')
    assert.ok(age >= 0 && age < 2 * 24 * 60 * 60 * 1000, `${age} ms old`)
    assert.match((await shownBy(mock.url, { prefer: 'seed=spring' })) ?? '', /^2025-12-31T/)
  })

  test('prepared answers are not changed for the next request', async () => {
    const rules = [
      {
        match: { operationId: 'getThing' },
        when: { $seq: 1 },
        do: [{ merge: { tags: ['changed'] } }]
      }
    ]
    await using mock = await openMock(things, {}, {}, { rules })
    await compare(await send(mock.url, { path }), {
      status: 200,
      json: { ...THING, tags: ['changed'] }
    })
    await compare(await send(mock.url, { path }), { status: 200, json: THING })
  })
})

function marked(name: string): object[] {
  return [{ do: [{ setHeader: { [`x-${name}`]: '{$seq}' } }] }]
}

const ok = { description: '', content: { 'application/json': { example: { a: 1 } } } }

describe('rules in a document', () => {
  const responses = {
    '200': { ...ok, 'x-nonet-transform': marked('response') },
    '404': { ...ok, 'x-nonet-transform': marked('missing') }
  }
  const paths = {
    '/a': {
      'x-nonet-transform': marked('path'),
      get: { 'x-nonet-transform': marked('operation')[0], responses },
      put: { responses: { '200': ok } }
    },
    '/b': { get: { responses: { '200': { $ref: '#/components/responses/Shared' } } } },
    '/c': { get: { responses: { '200': { $ref: '#/components/responses/Shared' } } } }
  }
  const document = documentOf(paths, {
    'x-nonet-transform': marked('root'),
    components: { responses: { Shared: { ...ok, 'x-nonet-transform': marked('shared') } } }
  })

  test('count where they stand: root, path, operation, response', async () => {
    await using mock = await openMock(document)
    const headers = async (method: string, target: string, more = {}) => {
      const answer = await fetch(mock.url + target, { method, headers: more })
      return [...answer.headers]
        .filter(([name]) => name.startsWith('x-'))
        .map((pair) => pair.join())
    }
    assert.deepEqual(await headers('GET', '/a'), [
      'x-operation,1',
      'x-path,1',
      'x-response,1',
      'x-root,1'
    ])
    assert.deepEqual(await headers('GET', '/a', { prefer: 'code=404' }), [
      'x-missing,1',
      'x-operation,2',
      'x-path,2',
      'x-root,2'
    ])
    assert.deepEqual(await headers('PUT', '/a'), ['x-path,3', 'x-root,3'])
    assert.deepEqual(await headers('GET', '/b'), ['x-root,4', 'x-shared,1'])
    assert.deepEqual(await headers('GET', '/c'), ['x-root,5', 'x-shared,2'])
  })

  test('are followed before those of a file', async () => {
    const rules = [{ match: { path: '/a' }, do: [{ renameHeader: { 'x-root': 'x-mine' } }] }]
    await using mock = await openMock(document, {}, {}, { rules })
    const { headers } = await fetch(`${mock.url}/a`)
    assert.equal(headers.get('x-mine'), '1')
    assert.equal(headers.get('x-root'), null)
  })

  test('survive the way from version 2', async () => {
    await using mock = await openMock({
      swagger: '2.0',
      info: { title: 'Old', version: '1' },
      'x-nonet-transform': marked('root'),
      paths: {
        '/a': {
          'x-nonet-transform': marked('path'),
          get: {
            'x-nonet-transform': marked('operation'),
            responses: { 200: { description: '', 'x-nonet-transform': marked('response') } }
          }
        }
      }
    })
    const { headers } = await fetch(`${mock.url}/a`)
    for (const name of ['root', 'path', 'operation', 'response']) {
      assert.equal(headers.get(`x-${name}`), '1', name)
    }
  })

  test('at a response have no say before there is one', async () => {
    const wrong = [{ phase: 'request', do: [{ setHeader: { a: 'b' } }] }]
    const given = { '200': { ...ok, 'x-nonet-transform': wrong } }
    await assert.rejects(openMock(documentOf({ '/a': { get: { responses: given } } })), {
      message:
        'document.json#/paths/~1a/get/responses/200/x-nonet-transform/0: is defined at a response, so it cannot have the phase request'
    })
  })
})

describe('what is wrong with a rule is told at the start, with its place', () => {
  const getThing = { operationId: 'getThing' }
  const rows: [proves: string, rule: object, expected: string | RegExp][] = [
    [
      'unknown member',
      { after: [], do: [header('x')] },
      /#\/rules\/0\/after: is unknown; known members: name, match, when, phase, do$/
    ],
    ['no steps', { match: getThing }, '#/rules/0: requires do: an array of steps'],
    ['unknown step', { do: [{ rename: 1 }] }, /#\/rules\/0\/do\/0: must be one of setHeader, /],
    [
      'two steps in one',
      { do: [{ delay: 1, fault: 'reset' }] },
      /#\/rules\/0\/do\/0: must be one of/
    ],
    [
      'unknown phase',
      { phase: 'before', do: [{ delay: 1 }] },
      '#/rules/0/phase: must be one of request, upstream, response, final'
    ],
    [
      'unknown operation',
      { match: { operationId: 'nope' }, do: [{ delay: 1 }] },
      '#/rules/0/match/operationId: Unknown operation nope'
    ],
    [
      'unknown tag',
      { match: { tag: 'nope' }, do: [{ delay: 1 }] },
      '#/rules/0/match/tag: No operation has the tag nope'
    ],
    [
      'path of nobody',
      { match: { path: '/nope/*' }, do: [{ delay: 1 }] },
      '#/rules/0/match/path: No documented path matches /nope/*'
    ],
    [
      'nothing fits it all',
      { match: { operationId: 'getThing', method: 'POST' }, do: [{ delay: 1 }] },
      '#/rules/0: No operation satisfies all conditions of match'
    ],
    [
      'unknown match',
      { match: { color: 'red' }, do: [{ delay: 1 }] },
      /match\/color: is unknown; known members: operationId,/
    ],
    [
      'no status',
      { match: { status: 'ok' }, do: [{ delay: 1 }] },
      /match\/status: must be a status such as 404/
    ],
    [
      'status of a request',
      { phase: 'request', match: { status: 200 }, do: [{ delay: 1 }] },
      /match\/status: is not allowed in the phase request/
    ],
    [
      'answer in a request',
      { phase: 'request', when: { $statusCode: 200 }, do: [{ delay: 1 }] },
      '#/rules/0: uses the response in the phase request'
    ],
    [
      'setQuery of an answer',
      { do: [{ setQuery: { a: 1 } }] },
      '#/rules/0/do/0/setQuery: is not allowed in the phase response; it is allowed in request or upstream'
    ],
    [
      'rewritePath of an answer',
      { phase: 'final', do: [{ rewritePath: '/a' }] },
      /is not allowed in the phase final/
    ],
    [
      'setStatus of a request',
      { phase: 'request', do: [{ setStatus: 200 }] },
      /is not allowed in the phase request/
    ],
    [
      'truncate of a request',
      { phase: 'request', do: [{ fault: 'truncate' }] },
      /truncate requires a response/
    ],
    [
      'unknown fault',
      { do: [{ fault: 'explode' }] },
      '#/rules/0/do/0/fault: must be one of reset, empty, garbage, truncate, hang, timeout'
    ],
    ['delay out of bounds', { do: [{ delay: 600_001 }] }, /must be milliseconds from 0 to 600000/],
    ['status out of bounds', { do: [{ setStatus: 700 }] }, /must be a status from 200 to 599/],
    [
      'framing header',
      { do: [{ setHeader: { 'Content-Length': 3 } }] },
      /setHeader\/Content-Length: Content-Length is not a header that can be changed/
    ],
    ['no header', { do: [{ removeHeader: 'a b' }] }, /a b is not a header that can be changed/],
    [
      'unknown expression',
      { do: [header('{$request.cookie.a}')] },
      '#/rules/0/do/0/setHeader/x-shown: {$request.cookie.a} is not a known expression'
    ],
    ['open expression', { do: [header('{$url')] }, /\{\$url is not closed/],
    [
      'unknown Faker method',
      { do: [header('{$faker.no.such}')] },
      '#/rules/0: Faker has no method no.such'
    ],
    [
      'Faker is no way to its inside',
      { do: [header('{$faker.helpers.constructor}')] },
      /Faker has no method/
    ],
    [
      'unknown operator',
      { when: { $url: { like: 'a' } }, do: [{ delay: 1 }] },
      '#/rules/0/when/$url/like: is unknown; known operators: equals, exists, in, matches'
    ],
    [
      'no expression',
      { when: { url: 'a' }, do: [{ delay: 1 }] },
      '#/rules/0/when/url: is neither an expression nor one of and, or, not'
    ],
    [
      'pattern that cannot be run',
      { when: { $url: { matches: '(a|b|ab)*(?=c)(\\1)+' } }, do: [{ delay: 1 }] },
      /when\/\$url\/matches: cannot be used/
    ],
    [
      'no pointer',
      { match: getThing, do: [{ omit: 'name' }] },
      '#/rules/0/do/0/omit: name is not a JSON pointer, which starts with a slash'
    ],
    [
      'pointer to nowhere',
      { match: { ...getThing, status: 200 }, do: [{ omit: '/inner/depth' }] },
      '#/rules/0/do/0/omit: The schema of the body does not allow /inner/depth'
    ],
    [
      'pointer into a text',
      { match: { ...getThing, status: 200 }, do: [{ pick: ['/id', '/name/first'] }] },
      '#/rules/0/do/0/pick: The schema of the body does not allow /name/first'
    ],
    [
      'patch to nowhere',
      {
        match: { ...getThing, status: 200 },
        do: [{ patch: [{ op: 'remove', path: '/tags/first' }] }]
      },
      '#/rules/0/do/0/patch/0/path: The schema of the body does not allow /tags/first'
    ],
    [
      'expression to nowhere',
      { match: { operationId: 'makeThing' }, do: [header('{$request.body#/inner/x}')] },
      /The schema of the body does not allow \/inner\/x$/
    ],
    [
      'patch without value',
      { match: getThing, do: [{ patch: [{ op: 'add', path: '/a' }] }] },
      /do\/0\/patch\/0: add requires a value/
    ],
    [
      'unknown operation of a patch',
      { match: getThing, do: [{ patch: [{ op: 'put', path: '/a' }] }] },
      /requires an op: add, remove/
    ],
    [
      'condition of nothing',
      { when: {}, do: [{ delay: 1 }] },
      /when: must be an object of conditions/
    ],
    [
      'a path with a query',
      { phase: 'request', do: [{ rewritePath: '/a?b=1' }] },
      /must be a path that starts with a slash/
    ]
  ]
  for (const [proves, rule, expected] of rows) {
    test(proves, async () => {
      const failing: Promise<unknown> = openMock(things, {}, {}, { rules: [rule] })
      const error = await failing.then(
        () => assert.fail('it started'),
        (reason: Error) => reason
      )
      assert.equal(error.constructor.name, 'UserError', error.stack)
      if (typeof expected === 'string') assert.equal(error.message, `rules.yaml${expected}`)
      else assert.match(error.message, expected)
    })
  }

  const fine: [proves: string, rule: object][] = [
    ['what additional properties allow', { match: getThing, do: [{ omit: '/anything/at/all' }] }],
    ['what one of several responses has', { match: getThing, do: [{ omit: '/message' }] }],
    [
      'what a step before has made',
      { match: { ...getThing, status: 200 }, do: [{ replaceBody: {} }, { omit: '/inner/depth' }] }
    ],
    [
      'what a client sends',
      {
        phase: 'request',
        match: { operationId: 'makeThing' },
        do: [{ patch: [{ op: 'move', from: '/inner/old', path: '/name' }] }]
      }
    ],
    ['a new member', { match: getThing, do: [{ patch: [{ op: 'add', path: '/new', value: 1 }] }] }],
    [
      'an item of a list',
      { match: { operationId: 'listThings' }, do: [{ pick: ['/*/id', '/0/secret'] }] }
    ]
  ]
  for (const [proves, rule] of fine) {
    test(`fine: ${proves}`, async () => {
      await using _ = await openMock(things, {}, {}, { rules: [rule] })
    })
  }
})

describe('in front of a server', () => {
  async function openFront(changes: Changes, answer = answerThing, more: object = {}) {
    const upstream = await openUpstream(answer)
    const options = { upstream: upstreamAt(new URL(upstream.url)), ...more }
    const mock = await openMock(things, options, {}, changes)
    return {
      ...mock,
      upstream,
      async [Symbol.asyncDispose]() {
        await mock.close()
        await upstream.close()
      }
    }
  }

  const packed = gzipSync(JSON.stringify(THING))
  const answerPacked: typeof answerThing = (_, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end(packed)
  }

  test('a packed answer is unpacked before it is changed', async () => {
    const rules = [{ match: { operationId: 'getThing' }, do: [{ merge: { id: 2 } }] }]
    await using front = await openFront({ rules }, answerPacked)
    const answer = await fetch(front.url + path)
    assert.equal(answer.headers.get('content-encoding'), null)
    const text = JSON.stringify({ ...THING, id: 2 })
    assert.equal(answer.headers.get('content-length'), String(text.length))
    assert.equal(await answer.text(), text)
  })

  test('and stays packed where its body is only looked at', async () => {
    const rules = [{ match: { operationId: 'getThing' }, do: [header('{$response.body#/name}')] }]
    await using front = await openFront({ rules }, answerPacked)
    const answer = await fetch(front.url + path, { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(answer.headers.get('x-shown'), 'one')
    assert.equal(answer.headers.get('content-encoding'), 'gzip')
    assert.deepEqual(await answer.json(), THING)
  })

  test('a packed upload is unpacked before it is changed', async () => {
    const rules = [
      { phase: 'upstream', match: { operationId: 'makeThing' }, do: [{ merge: { id: 6 } }] }
    ]
    await using front = await openFront({ rules })
    const answer = await fetch(`${front.url}/things`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ id: 5, name: 'five' }))
    })
    assert.equal(answer.status, 201)
    const [received] = front.upstream.received
    assert.equal(String(received?.body), '{"id":6,"name":"five"}')
    assert.equal(received?.headers['content-encoding'], undefined)
  })

  test('a stream runs on while no rule looks into it', async () => {
    const rules = [{ do: [header('{$statusCode}')] }]
    let finish = () => {}
    await using front = await openFront({ rules }, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).write('first')
      finish = () => response.end('last')
    })
    const answer = await fetch(`${front.url}/elsewhere`)
    assert.equal(answer.headers.get('x-shown'), '200')
    const reader = (answer.body ?? assert.fail()).getReader()
    assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'first')
    finish()
    assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'last')
  })

  test('a body that is too large runs on unchanged, and that is told', async () => {
    const rules = [{ match: { operationId: 'getThing' }, do: [{ merge: { id: 2 } }] }]
    await using front = await openFront({ rules }, answerThing, { maxBodyBytes: 10 })
    const answer = await send(front.url, { path })
    assert.deepEqual(JSON.parse(answer.text), THING)
    assert.match(JSON.stringify(violationsIn(answer)), /could not merge: there is no body/)
  })

  test('with errors, a faulty request is not sent on, and a rule can make it whole', async () => {
    await using strict = await openFront({}, answerThing, { errors: true })
    assert.equal((await fetch(`${strict.url}/things/7?q=x`)).status, 422)
    const rules = [{ phase: 'request', do: [{ removeQuery: 'q' }] }]
    await using mended = await openFront({ rules }, answerThing, { errors: true })
    assert.equal((await fetch(`${mended.url}/things/7?q=x`)).status, 200)
    assert.equal(mended.upstream.received[0]?.url, '/things/7')
  })

  test('with errors, an answer that a rule spoils is a problem', async () => {
    const rules = [{ match: { operationId: 'getThing' }, do: [{ merge: { id: 'x' } }] }]
    await using front = await openFront({ rules }, answerThing, { errors: true })
    assert.equal((await fetch(front.url + path)).status, 500)
  })

  test('an answer of the mock in place of the upstream is changed as well', async () => {
    const rules = [
      { match: { operationId: 'getThing' }, do: [{ merge: { id: '{$request.path.id}' } }] }
    ]
    await using front = await openFront({ rules }, (_, response) => response.writeHead(501).end())
    await compare(await send(front.url, { path }), { status: 200, json: { ...THING, id: 7 } })
  })

  test('what a client sends packed and nobody looks at reaches the upstream as it is', async () => {
    const rules = [{ phase: 'upstream', do: [{ setHeader: { 'x-key': 'k' } }] }]
    await using front = await openFront({ rules })
    const body = gzipSync(JSON.stringify({ id: 5, name: 'five' }))
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    await fetch(`${front.url}/things`, { method: 'POST', headers, body })
    const [received] = front.upstream.received
    assert.equal(received?.headers['x-key'], 'k')
    assert.equal(gunzipSync(received?.body ?? Buffer.alloc(0)).toString(), '{"id":5,"name":"five"}')
  })
})
