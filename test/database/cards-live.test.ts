/** Event streams of boards: from the same and another process, and what ends them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { signIn } from '../contract/cards-browser.ts'
import { type CardsJson, type Site, siteOf } from '../contract/cards-site.ts'
import { ENGINES, engineOptions, temporaryDatabase } from '../support/engines.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { type OpenStream, openStream } from '../support/open-stream.ts'

const WAIT_MS = 60_000

async function newBoard(site: Site, user: string) {
  const { secret: token, id: tokenId } = await site.token({
    flags: { member: user, 'new-member': true }
  })
  const send = (method: string, path: string, body?: object): Promise<CardsJson> =>
    site.json(path, { method, token, body })
  const board = await send('POST', '/boards', {
    ...{ name: 'Live', defaultLists: false, prefs_permissionLevel: 'public' }
  })
  const draft = await send('POST', '/lists', { name: 'Draft', idBoard: board.id })
  const published = await send('POST', '/lists', { name: 'Published', idBoard: board.id })
  return {
    ...{ token, tokenId, board, draft: draft.id, published: published.id },
    path: `${new URL(board.shortUrl).pathname}/-/events`,
    add: (name: string, idList: string) => send('POST', '/cards', { name, idList })
  }
}

/** The next event, without comments and the time to reconnect. */
async function nextEvent(stream: OpenStream): Promise<{ event?: string; id?: string } | undefined> {
  for (;;) {
    const timeout = new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error('no event')), WAIT_MS).unref()
    )
    const block = await Promise.race([stream.next(), timeout])
    if (block === undefined || block.event !== undefined) return block
  }
}

for (const engine of ENGINES) {
  describe(`live boards, on ${engine}`, () => {
    async function started(): Promise<{ nonet: Nonet<'cards'>; site: Site }> {
      const nonet = await start({ services: ['cards'], ...engineOptions(engine) })
      return { nonet, site: siteOf(nonet) }
    }

    test('members hear of every change, the public of published cards only; an id resumes', async () => {
      const { nonet, site } = await started()
      await using _ = { [Symbol.asyncDispose]: () => nonet.stop() }
      const { token, path, add, draft, published } = await newBoard(site, 'ada')
      const { cookie } = await signIn(site, token)
      using member = await openStream(site.url + path, { cookie })
      using reader = await openStream(site.url + path)
      const first = await nextEvent(member)
      const shown = await nextEvent(reader)
      assert.deepEqual([first?.event, shown?.event], ['changed', 'changed'])
      await add('Draft card', draft)
      const second = await nextEvent(member)
      assert.equal(Number(second?.id), Number(first?.id) + 1)
      await add('Shown', published)
      const third = await nextEvent(member)
      const next = await nextEvent(reader)
      // One more than before, although the board has changed twice.
      assert.equal(Number(next?.id), Number(shown?.id) + 1)
      using resumed = await openStream(site.url + path, {
        cookie,
        'last-event-id': third?.id ?? ''
      })
      assert.deepEqual((await nextEvent(resumed))?.event, 'current')
      using behind = await openStream(site.url + path, { cookie, 'last-event-id': first?.id ?? '' })
      assert.deepEqual(await nextEvent(behind), { ...third, event: 'changed' })
    })

    test('streams end with the session, the token, the board and the process', async () => {
      const { nonet, site } = await started()
      await using _ = { [Symbol.asyncDispose]: () => nonet.stop() }
      const { token, tokenId, path, board, draft } = await newBoard(site, 'ada')
      const open = async (headers: Record<string, string>) => {
        const stream = await openStream(site.url + path, headers)
        await nextEvent(stream)
        return stream
      }
      const browser = await signIn(site, token)
      using signedOut = await open({ cookie: browser.cookie })
      assert.equal((await browser.post('/sign-out', {})).status, 303)
      assert.equal(await nextEvent(signedOut), undefined)
      const other = await signIn(site, token)
      using revoked = await open({ cookie: other.cookie })
      using bearer = await open({ authorization: `Bearer ${token}` })
      using reader = await open({})
      const admin = (await site.token({ flags: { member: 'ada' } })).secret
      await site.revoke(tokenId)
      await site.json('/cards', {
        method: 'POST',
        token: admin,
        body: { name: 'x', idList: draft }
      })
      assert.equal(await nextEvent(revoked), undefined)
      assert.equal(await nextEvent(bearer), undefined)
      await site.json(`/boards/${board.id}`, {
        ...{ method: 'PUT', token: admin, body: { 'prefs/permissionLevel': 'private' } }
      })
      assert.equal(await nextEvent(reader), undefined)
      const last = await signIn(site, admin)
      using stopped = await open({ cookie: last.cookie })
      const stopping = nonet.stop()
      assert.equal(await nextEvent(stopped), undefined)
      await stopping
    })

    test('boards of others, unknown boards and publishable keys have no stream', async () => {
      const { nonet, site } = await started()
      await using _ = { [Symbol.asyncDispose]: () => nonet.stop() }
      const { path, board, token } = await newBoard(site, 'ada')
      const key = await site.publishable('ada', board.id)
      assert.equal((await site.ask(path, { token: key })).status, 401)
      await site.json(`/boards/${board.id}`, {
        ...{ method: 'PUT', token, body: { 'prefs/permissionLevel': 'private' } }
      })
      const hidden = await site.ask(path)
      const unknown = await site.ask('/b/AAAAAAAA/-/events')
      assert.deepEqual([hidden.status, hidden.text], [404, unknown.text])
    })
  })
}

test('a change in one process is an event of another', async () => {
  await using stack = new AsyncDisposableStack()
  const { url } = stack.use(await temporaryDatabase())
  const startOne = async () => {
    const data = stack.use(temporaryFolder()).path
    const options = { services: ['cards'] as const, database: url, portBase: 0, data }
    return siteOf(stack.use(await start({ ...options, secretKey: '5'.repeat(64) })))
  }
  const one = await startOne()
  const other = await startOne()
  const { token, path, add, draft } = await newBoard(one, 'ada')
  const { cookie } = await signIn(one, token)
  using stream = await openStream(other.url + path, { cookie })
  const first = await nextEvent(stream)
  const delays: number[] = []
  for (let round = 1; round <= 4; round++) {
    const begin = Date.now()
    await add(`Card ${round}`, draft)
    const next = await nextEvent(stream)
    assert.equal(Number(next?.id), Number(first?.id) + round)
    delays.push(Date.now() - begin)
  }
  // Notifications: with the poll every 2 s alone, each but the first would take as long.
  assert.ok(Math.min(...delays.slice(1)) < 1_500, delays.join())
})
