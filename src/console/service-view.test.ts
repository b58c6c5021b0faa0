import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceStatuses } from './service-view.ts'

test('a service is starting until it listens, then running unless it has a problem', async () => {
  const listed = [
    { service: { name: 'boxes' }, url: 'http://127.0.0.1:4002' },
    { service: { name: 'forms' }, url: 'http://127.0.0.1:4005' },
    { service: { name: 'mock' }, url: '' }
  ]
  const statuses = await serviceStatuses({
    services: () => listed,
    facts: {
      problems: async () => new Map([['boxes', 'boxes.sqlite is gone']]),
      activityOf: () => ({ requests: 0, failed: 0, minutes: [] })
    }
  })
  assert.deepEqual(
    [...statuses].map(([name, { state, reason }]) => [name, state, reason]),
    [
      ['boxes', 'not ready', 'boxes.sqlite is gone'],
      ['forms', 'running', undefined],
      ['mock', 'starting', undefined]
    ]
  )
})
