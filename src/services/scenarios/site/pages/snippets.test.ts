import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCENARIOS } from '../../scenario/registry.ts'
import { exampleSpec } from './example.ts'
import { EXAMPLE_TEXTS } from './example-texts.ts'
import { textOf } from './scenario-entry.ts'
import { snippetsOf } from './snippets.ts'

const AsyncFunction = (async () => undefined).constructor as new (
  ...parts: string[]
) => () => Promise<unknown>

const BASE = 'http://127.0.0.1:4004'

test('each scenario has code that can be pasted, with its URL and its scenario', () => {
  for (const scenario of SCENARIOS) {
    const [curl, fetched, played] = snippetsOf(BASE, scenario).map(({ text }) => text)
    assert.match(curl ?? '', /^curl -i [^\n]*'http:\/\/127\.0\.0\.1:4004\/api\/[^']*'$/)
    for (const code of [fetched, played]) assert.ok(new AsyncFunction('page', code ?? ''), code)
    assert.match(fetched ?? '', /\('(?:http|ws):\/\/127\.0\.0\.1:4004\/api\//)
    const isTag = scenario.example.startsWith('POST /api/login {')
    const selected = isTag ? `eve.holt+` : exampleSpec(scenario)
    for (const code of [curl, fetched, played]) {
      assert.ok(code?.includes(selected), `${scenario.name}: ${code}`)
    }
  }
})

test('the title of a scenario is an example, and its text has no letters in place of numbers', () => {
  for (const scenario of SCENARIOS) {
    assert.doesNotMatch(exampleSpec(scenario), /[[\]]/)
    assert.match(textOf(scenario), /^[A-Z0-9].*\.$/)
    const hasArguments = /[:[]/.test(scenario.usage)
    assert.equal(scenario.name in EXAMPLE_TEXTS, hasArguments, scenario.name)
  }
  const names: readonly string[] = SCENARIOS.map(({ name }) => name)
  assert.deepEqual(
    Object.keys(EXAMPLE_TEXTS).filter((name) => !names.includes(name)),
    []
  )
})
