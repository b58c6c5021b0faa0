/** What a mock with `--data` or `--database` acknowledged is there after a kill -9, for everybody. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { EFFORT, scaled } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { launch, temporaryFolder } from '../support/launcher.ts'
import { TODOS } from '../support/mock-state-documents.ts'

const ROUNDS = { sqlite: 2 * EFFORT, postgres: scaled(1, 2) }
const WRITERS = 6
const WRITES = 40

interface Todo {
  id: number
  title: string
  done: boolean
}

async function launchMock(args: readonly string[], cwd: string) {
  const words = ['mock', '--json', '-p', '0', '-v', 'warn', '--state']
  const running = await launch([...words, ...args], { cwd })
  const { url } = JSON.parse(running.line) as { url: string }
  return { ...running, url }
}

async function send(url: string, method: string, body?: object): Promise<Response> {
  return fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body)
  })
}

function writeDocument(folder: string): string {
  const file = join(folder, 'todos.json')
  writeFileSync(file, JSON.stringify(TODOS))
  return file
}

describe('a kill in the middle of writing', { timeout: 600_000 }, () => {
  for (const engine of ENGINES) {
    test(`loses nothing that was acknowledged, on ${engine}`, async (t) => {
      using folder = temporaryFolder()
      await using database = engine === 'postgres' ? await temporaryDatabase() : undefined
      const place =
        database === undefined
          ? ['--data', join(folder.path, 'data')]
          : ['--database', database.url]
      const args = [writeDocument(folder.path), ...place]
      const acknowledged = new Map<number, boolean | undefined>()
      const rounds = ROUNDS[engine]
      let refused = 0
      for (let round = 0; round < rounds; round++) {
        const { url, end } = await launchMock(args, folder.path)
        let written = 0
        const write = async (writer: number): Promise<void> => {
          for (let n = 0; ; n++) {
            const title = `${round} ${writer} ${n}`
            const answer = await send(`${url}/todos`, 'POST', { title }).catch(() => undefined)
            if (answer === undefined) return
            const text = await answer.text().catch(() => undefined)
            if (text === undefined) return
            // A database that a busy machine keeps waiting for too long acknowledges nothing.
            if (answer.status === 503) continue
            assert.equal(answer.status, 201, text)
            const { id } = JSON.parse(text) as Todo
            assert.equal(acknowledged.has(id), false)
            acknowledged.set(id, false)
            written += 1
            const item = `${url}/todos/${id}`
            const [method, body] = n % 2 === 0 ? ['PATCH', { done: true }] : ['DELETE', undefined]
            // Until the answer is here, either outcome is right.
            acknowledged.delete(id)
            const second = await send(item, method as string, body as object).catch(() => undefined)
            if (second === undefined) return
            if (second.status === 503) {
              refused += 1
              continue
            }
            assert.ok(second.ok, `${method} ${second.status} ${await second.text()}`)
            acknowledged.set(id, n % 2 === 0 ? true : undefined)
          }
        }
        const writing = Array.from({ length: WRITERS }, (_, writer) => write(writer))
        while (written < WRITES) await wait(5)
        await end('SIGKILL')
        await Promise.all(writing)
      }
      await using mock = await launchMock(args, folder.path)
      const found = new Map<number, Todo>()
      for (let offset = 0; ; offset += 50) {
        const page = (await (
          await fetch(`${mock.url}/todos?limit=50&offset=${offset}`)
        ).json()) as Todo[]
        for (const todo of page) found.set(todo.id, todo)
        if (page.length < 50) break
      }
      for (const [id, done] of acknowledged) assert.equal(found.get(id)?.done, done, `todo ${id}`)
      assert.ok(acknowledged.size >= rounds * (WRITES - WRITERS) - refused)
      t.diagnostic(`${acknowledged.size} changes acknowledged in ${rounds} rounds, all there`)
    })
  }

  test('two processes on one PostgreSQL see the same', async () => {
    using folder = temporaryFolder()
    await using database = await temporaryDatabase()
    const args = [writeDocument(folder.path), '--database', database.url]
    await using one = await launchMock(args, folder.path)
    await using other = await launchMock(args, folder.path)
    const urls = [one.url, other.url] as const
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const answer = await send(`${urls[n % 2]}/todos`, 'POST', { title: `n${n}` })
        assert.equal(answer.status, 201)
        return (await answer.json()) as Todo
      })
    )
    const ids = answers.map(({ id }) => id).sort((a, b) => a - b)
    assert.deepEqual(
      ids,
      Array.from({ length: 40 }, (_, n) => n + 5)
    )
    await send(`${one.url}/todos/5`, 'PATCH', { title: 'changed by one' })
    await send(`${other.url}/todos/1`, 'DELETE')
    const [seen, also] = await Promise.all(
      urls.map(async (url) => (await fetch(`${url}/todos?limit=50`)).text())
    )
    assert.equal(seen, also)
    const list = JSON.parse(seen ?? '') as Todo[]
    assert.equal(list.length, 41)
    assert.equal(list.find(({ id }) => id === 5)?.title, 'changed by one')
  })

  test('memory is what it is called', async () => {
    using folder = temporaryFolder()
    const document = writeDocument(folder.path)
    const first = await launchMock([document], folder.path)
    await send(`${first.url}/todos`, 'POST', { title: 'gone' })
    await first.end('SIGTERM')
    await using second = await launchMock([document], folder.path)
    assert.equal(((await (await fetch(`${second.url}/todos`)).json()) as Todo[]).length, 2)
  })
})
