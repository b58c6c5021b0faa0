/** Answers that rules have changed before are sent again; only where they would be made again. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Diagnostic } from '../../src/services/mock/message.ts'
import { violationsIn } from '../support/mock-rows.ts'
import { type MockServer, openMock } from '../support/mock-server.ts'
import { things } from '../support/mock-things.ts'

const thing = { operationId: 'getThing' }
const ROUNDS = 4

function open(...rules: object[]): Promise<MockServer> {
  return openMock(things, {}, {}, { rules })
}

async function ask(mock: MockServer, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(mock.url + path, { headers })
  return { response, text: await response.text() }
}

function diagnosticsIn(response: Response): Diagnostic[] {
  return violationsIn(response) as Diagnostic[]
}

test('each id gets its own answer, whoever asked before', async () => {
  await using mock = await open({
    match: thing,
    do: [
      { merge: { id: '{$request.path.id}', name: 'of {$request.header.x-who|nobody}' } },
      { setHeader: { 'x-id': '{$request.path.id}' } }
    ]
  })
  for (let round = 0; round < ROUNDS; round++) {
    for (const id of [7, 8, 70, 7, 9]) {
      for (const who of ['Ada', 'Bo']) {
        const { response, text } = await ask(mock, `/things/${id}`, { 'x-who': who })
        const { id: given, name } = JSON.parse(text)
        assert.deepEqual([given, name], [id, `of ${who}`])
        assert.equal(response.headers.get('x-id'), String(id))
        assert.equal(response.headers.get('content-length'), String(Buffer.byteLength(text)))
      }
    }
  }
})

test('where one value ends and the next begins is not mixed up', async () => {
  await using mock = await open({
    match: thing,
    do: [{ merge: { name: '{$request.query.a|none}-{$request.query.b|none}' } }]
  })
  const queries = ['a=1&b=2s3', 'a=1s2&b=3', 'a=12s&b=3', 'a=&b=123', 'a=u', 'b=u', 'a=1%0A1&b=2']
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of queries) {
      const { text } = await ask(mock, `/things/1?${query}`)
      const sent = new URLSearchParams(query)
      const wanted = `${sent.get('a') ?? 'none'}-${sent.get('b') ?? 'none'}`
      assert.equal(JSON.parse(text).name, wanted)
    }
  }
})

describe('made anew every time', () => {
  for (const value of ['{$uuid}', '{$seq}', '{$faker.string.uuid}']) {
    test(value, async () => {
      await using mock = await open({ match: thing, do: [{ merge: { name: `n${value}` } }] })
      const names = new Set<string>()
      for (let round = 0; round < ROUNDS; round++) {
        names.add(JSON.parse((await ask(mock, '/things/1')).text).name)
      }
      assert.equal(names.size, ROUNDS)
    })
  }

  test('what the body of the request says', async () => {
    await using mock = await open({
      match: { operationId: 'makeThing' },
      do: [{ merge: { name: '{$request.body#/name}' } }]
    })
    for (const name of ['one', 'two', 'one', 'three', 'one', 'two']) {
      const response = await fetch(`${mock.url}/things`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id: 1, name })
      })
      const made = (await response.json()) as { name: string }
      assert.equal(made.name, name)
    }
  })

  test('a condition on a count', async () => {
    await using mock = await open({ match: thing, when: { $seq: 3 }, do: [{ setStatus: 404 }] })
    const statuses = []
    for (let round = 0; round < ROUNDS; round++) {
      statuses.push((await ask(mock, '/things/1')).response.status)
    }
    assert.deepEqual(statuses, [200, 200, 404, 200])
  })

  test('an answer that is generated', async () => {
    await using mock = await open({ match: thing, do: [{ setHeader: { 'x-rule': 'yes' } }] })
    const texts = new Set<string>()
    for (let round = 0; round < ROUNDS; round++) {
      const { response, text } = await ask(mock, '/things/1', { prefer: 'dynamic=true' })
      assert.equal(response.headers.get('x-rule'), 'yes')
      texts.add(text)
    }
    assert.ok(texts.size > 1)
  })
})

test('violations are told each time, and of one request only', async () => {
  await using mock = await open({ match: thing, do: [{ merge: { name: 7 } }] })
  for (let round = 0; round < ROUNDS; round++) {
    const plain = await ask(mock, '/things/1')
    assert.deepEqual(
      diagnosticsIn(plain.response).map(({ location }) => location.join('.')),
      ['response.body.name']
    )
    const off = await ask(mock, '/things/1', { prefer: 'validate=off' })
    assert.equal(off.response.headers.get('sl-violations'), null)
  }
})

test('headers that are added to one answer are not in the next', async () => {
  await using mock = await open({ match: thing, do: [{ setHeader: { 'x-a': 'rule' } }] })
  for (let round = 0; round < ROUNDS; round++) {
    const near = await ask(mock, '/things/1', { origin: 'https://one.example' })
    assert.equal(near.response.headers.get('access-control-allow-origin'), 'https://one.example')
    const far = await ask(mock, '/things/1', { origin: 'https://two.example' })
    assert.equal(far.response.headers.get('access-control-allow-origin'), 'https://two.example')
  }
})

test('words of any language keep their bytes', async () => {
  await using mock = await open({
    match: thing,
    do: [{ merge: { name: 'Löwenzahn 蒲公英 {$request.query.q|0}' } }]
  })
  for (let round = 0; round < ROUNDS; round++) {
    const { response, text } = await ask(mock, '/things/1?q=5')
    assert.equal(JSON.parse(text).name, 'Löwenzahn 蒲公英 5')
    assert.equal(response.headers.get('content-length'), String(Buffer.byteLength(text)))
  }
})

test('what a rule could not do is said each time', async () => {
  await using mock = await open({
    match: thing,
    do: [{ patch: [{ op: 'remove', path: '/none' }] }]
  })
  for (let round = 0; round < ROUNDS; round++) {
    const { response } = await ask(mock, '/things/1')
    assert.deepEqual(
      diagnosticsIn(response).map(({ code }) => code),
      ['transform']
    )
  }
})
