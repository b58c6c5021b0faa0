import assert from 'node:assert/strict'
import { test } from 'node:test'
import { temporaryDatabase } from '../support/engines.ts'
import { launchNonet, temporaryFolder } from '../support/launcher.ts'
import { openStream } from '../support/open-stream.ts'

test('of two processes on one PostgreSQL, a stream of one tells what the other one did', async () => {
  await using database = await temporaryDatabase()
  using oneFolder = temporaryFolder()
  using otherFolder = temporaryFolder()
  const launch = (path: string) =>
    launchNonet(['scenarios', '--quiet', '--data', path, '--database', database.url])
  await using one = await launch(oneFolder.path)
  await using other = await launch(otherFolder.path)
  const address = ({ ready }: typeof one) => `${ready.services.scenarios}/w/both/api`
  await fetch(`${address(one)}/users`)
  using stream = await openStream(`${address(one)}/events`)
  await stream.next()
  const add = (name: string) =>
    fetch(`${address(other)}/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name })
    })
  await add('a')
  await add('b')
  const seen = [await stream.next(), await stream.next()]
  assert.deepEqual(
    seen.map((event) => [event?.id, JSON.parse(event?.data ?? '').name]),
    [
      ['1', 'a'],
      ['2', 'b']
    ]
  )
  const poll = fetch(`${address(one)}/events/poll?after=2&wait=60`)
  await add('c')
  const { events, next } = (await (await poll).json()) as { events: unknown[]; next: number }
  assert.deepEqual([events.length, next], [1, 3])
})
