import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { temporaryFolder } from '../support/launcher.ts'

/** Polls, because a result may be a second old. */
async function untilStatus(url: string, status: number): Promise<unknown> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const response = await fetch(`${url}/readyz`)
    const body = await response.json()
    if (response.status === status) return body
    assert.ok(performance.now() < deadline, JSON.stringify(body))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** What the start page shows for each service. */
async function shownStates(url: string): Promise<Record<string, string>> {
  const page = await (await fetch(`${url}/`)).text()
  const cards = page.matchAll(/<section class="card (\w+)".*?<span class="pill[^"]*">([^<]+)</gs)
  return Object.fromEntries([...cards].map(([, name, state]) => [name, state]))
}

test('/readyz says that a file is gone until it is back, and each is logged once', async () => {
  const lines: string[] = []
  const hear = ({ name, message }: Error) => {
    if (name === 'nonet') lines.push(message)
  }
  process.on('warning', hear)
  using folder = temporaryFolder()
  await using nonet = await start({ services: ['boxes', 'reference'], data: folder.path })
  const file = join(folder.path, 'boxes.sqlite')
  const url = nonet.console?.url ?? ''
  assert.deepEqual(await untilStatus(url, 200), { status: 'ready' })
  renameSync(file, `${file}.away`)
  const reason = 'boxes: boxes.sqlite is gone'
  assert.deepEqual(await untilStatus(url, 503), { status: 'unavailable', reason })
  assert.deepEqual(await shownStates(url), { reference: 'running', boxes: 'not ready' })
  renameSync(`${file}.away`, file)
  assert.deepEqual(await untilStatus(url, 200), { status: 'ready' })
  assert.deepEqual(await shownStates(url), { reference: 'running', boxes: 'running' })
  process.off('warning', hear)
  assert.deepEqual(lines, [
    'boxes: the database is unavailable: boxes.sqlite is gone; requests that need it fail until it is back',
    'boxes: the database is available again'
  ])
})
