/** Boards, files, tokens and signatures are the same after the tables move, and after a restore. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { type CardsJson, type Site, siteOf } from '../contract/cards-site.ts'
import { pixel } from '../contract/statuses-site.ts'
import { temporaryDatabase } from '../support/engines.ts'
import { type Launched, launchLoadedNonet, runNonet, temporaryFolder } from '../support/launcher.ts'

const BASE = 'http://cards.example'

interface Moved {
  token: string
  key: string
  /** Of a preview. */
  preview: string
  /** Paths of the file as it was uploaded, with a signature. */
  signed: string
  board: CardsJson
}

function siteAt({ ready }: Launched): Site {
  const { services, console, token } = ready
  return siteOf({
    cards: { url: services.cards ?? '' },
    console: { url: console ?? '', token }
  } as Parameters<typeof siteOf>[0])
}

/** A board with a public card, a draft with a file, a comment, and every kind of credential. */
async function fill(site: Site): Promise<Moved> {
  const token = await site.member('ada')
  const send = (method: string, path: string, body?: unknown) =>
    site.json(path, { method, token, body })
  const board = await send('POST', '/boards', { name: 'Moving', prefs_permissionLevel: 'public' })
  const [list] = await send('GET', `/boards/${board.id}/lists`)
  const drafts = await send('POST', '/lists', { name: 'Drafts', idBoard: board.id })
  const shown = await send('POST', '/cards', { idList: list.id, name: 'Café „Zoë“', desc: '*oak*' })
  const draft = await send('POST', '/cards', { idList: drafts.id, name: 'Secret oak' })
  for (const { id } of [shown, draft]) {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(pixel(9))]), 'größe.png')
    await send('POST', `/cards/${id}/attachments`, form)
  }
  await send('POST', `/cards/${shown.id}/actions/comments`, { text: 'A comment' })
  await send('PUT', `/cards/${shown.id}`, { name: 'Café' })
  const [{ id: attachment }] = await send('GET', `/cards/${draft.id}/attachments`)
  const native = async (path: string) => {
    const target = `/content/${board.id}${path}`
    return JSON.parse((await site.ask(target, { method: 'POST', token, body: {} })).text)
  }
  const { token: preview } = await native('/preview-tokens')
  const { url } = await native(`/attachments/${attachment}/signed-url`)
  const key = await site.publishable('ada', board.id)
  return { token, key, preview, signed: url.slice(BASE.length), board }
}

/** Hashes of what every credential gets. */
async function view(site: Site, { token, key, preview, signed, board }: Moved): Promise<object> {
  const { id } = board
  const nested = 'lists=all&cards=all&card_attachments=true&actions=all&labels=all&fields=all'
  const requests: [path: string, token?: string][] = [
    [`/1/boards/${id}?${nested}`, token],
    ['/1/search?query=oak', token],
    ['/1/members/me', token],
    [`/content/${id}/cards`, key],
    [`/content/${id}/cards?q=oak`, key],
    [`/content/${id}/cards/cafe-zoe`, key],
    [`/content/${id}/cards`, preview],
    [`/content/${id}/feed.xml`],
    [signed]
  ]
  const seen: Record<string, unknown> = {}
  for (const [path, secret] of requests) {
    const { status, headers, text } = await site.ask(path, { token: secret })
    const hash = createHash('sha256').update(text).digest('hex')
    seen[`${path} ${secret ?? ''}`] = [status, headers.get('etag'), hash]
    assert.ok(status === 200 || path.endsWith('cafe-zoe'), `${status} ${path}: ${text}`)
  }
  const { text } = await site.ask(`/content/${id}/cards`, { token: preview })
  for (const { images } of JSON.parse(text).cards) {
    const { status } = await site.ask(images[0].url.slice(BASE.length))
    assert.equal(status, 200)
  }
  return seen
}

test('boards, files and credentials move to PostgreSQL, back, and through a backup', async () => {
  using first = temporaryFolder()
  using second = temporaryFolder()
  using third = temporaryFolder()
  await using database = await temporaryDatabase()
  const key = ['--secret-key-file', join(first.path, 'secret.key')]
  const start = (data: string, ...more: string[]) =>
    launchLoadedNonet([
      'cards',
      '--quiet',
      '--data',
      data,
      '--public-url',
      `cards=${BASE}`,
      ...more
    ])
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runNonet(args)
    assert.equal(code, 0, `${args[0]}: ${stderr}`)
    return stdout
  }

  const source = await start(first.path)
  const moved = await fill(siteAt(source))
  const before = await view(siteAt(source), moved)
  await source.end()

  await run('copy', '--data', first.path, '--to', database.url)
  const there = await start(first.path, '--database', database.url)
  assert.deepEqual(await view(siteAt(there), moved), before)
  await there.end()

  const onPostgres = ['--data', first.path, '--database', database.url]
  await run('copy', ...onPostgres, '--to', second.path)
  const back = await start(second.path, ...key)
  assert.deepEqual(await view(siteAt(back), moved), before)
  const file = join(first.path, 'cards.nonet')
  await run('backup', file, '--data', second.path)
  await back.end()

  await run('restore', file, '--data', third.path, ...key)
  const restored = await start(third.path, ...key)
  assert.deepEqual(await view(siteAt(restored), moved), before)
  assert.equal(await run('reset', 'cards', '--data', third.path), 'Reset cards\n')
  const { boards } = JSON.parse((await siteAt(restored).ask('/content')).text)
  assert.deepEqual(
    boards.map(({ name }: CardsJson) => name).includes('Moving'),
    false,
    'only the sample is left'
  )
  assert.equal((await siteAt(restored).ask(moved.signed)).status, 401)
  await restored.end()
  const diagnosis = await run('doctor', 'cards', '--port-base=0', '--data', third.path, ...key)
  assert.doesNotMatch(diagnosis, /problem|missing/i)
})
