/** `$state` in rules: what collections hold, session by session, in every phase. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { mock } from '../../src/host/mock.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const TODO = join(import.meta.dirname, '../../examples/mock/todo.yaml')

const RULES = {
  rules: [
    {
      phase: 'request',
      match: { operationId: 'listTodos' },
      when: { '$state.todos#/0/text': 'secret' },
      do: [{ setHeader: { Prefer: 'code=200, example=none' } }]
    },
    {
      match: { operationId: 'listTodos' },
      do: [{ setHeader: { 'X-First': '{$state.todos#/0/text|none}' } }]
    },
    {
      phase: 'final',
      match: { operationId: 'listTodos' },
      do: [
        { setHeader: { 'X-All': 'all {$state.todos}', 'X-None': '{$state.nothing|no}' } },
        { setHeader: { 'X-One': '{$state.todos/1#/done|false}' } }
      ]
    }
  ]
}

test('rules read collections: of the session, as they are when the rule is followed', async () => {
  const transform = join(scratchFolder(), 'rules.json')
  writeFileSync(transform, JSON.stringify(RULES))
  await using api = await mock(TODO, { state: true, transform: [transform] })
  const list = async (session: string) => {
    const { headers } = await fetch(`${api.url}/todos`, { headers: { Prefer: session } })
    return ['x-first', 'x-all', 'x-none', 'x-one'].map((name) => headers.get(name))
  }
  assert.deepEqual(await list('session=a'), ['none', 'all []', 'no', 'false'])
  await fetch(`${api.url}/todos`, {
    method: 'POST',
    headers: { Prefer: 'session=a', 'content-type': 'application/json' },
    body: '{"text":"water","done":true}'
  })
  const water = 'all [{"id":1,"text":"water","done":true}]'
  assert.deepEqual(await list('session=a'), ['water', water, 'no', 'true'])
  assert.deepEqual(await list('session=b'), ['none', 'all []', 'no', 'false'])
})

test('without state there is nothing to read', async () => {
  const transform = join(scratchFolder(), 'rules.json')
  writeFileSync(transform, JSON.stringify(RULES))
  await using api = await mock(TODO, { transform: [transform] })
  const { headers } = await fetch(`${api.url}/todos`)
  assert.equal(headers.get('x-first'), 'none')
})

test('a collection that nobody keeps is named at the start, with what there is', async () => {
  const transform = join(scratchFolder(), 'rules.json')
  writeFileSync(transform, JSON.stringify(RULES))
  const findings = async (document: string, state: boolean) => {
    await using api = await mock(document, { state, transform: [transform] })
    const answer = await fetch(`${api.url}/__nonet/reload`)
    const told: { findings: { where: string; text: string }[] } = await answer.json()
    return told.findings.map(({ where, text }) => `${where.replace(/^.*#/, '')} ${text}`)
  }
  assert.deepEqual(await findings(TODO, true), [
    '/rules/2 $state.nothing is empty: unknown collection; known collections: todos'
  ])
  assert.equal(
    (await findings(`list=${TODO}`, true))[0],
    '/rules/0 $state.todos is empty: unknown collection; known collections: list/todos'
  )
  assert.equal(
    (await findings(TODO, false))[0],
    '/rules/0 $state.todos is empty: the mock runs without --state'
  )
})
