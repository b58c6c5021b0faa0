import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentBoard, titles } from './cards-content-board.ts'
import { publicView } from './cards-public-view.ts'
import { sites } from './cards-site.ts'
import { seen } from './statuses-site.ts'

sites('drafts', {}, (site) => {
  test('leave no trace: bytes, headers, ETags, counts, feeds, search and 304 stay the same', async () => {
    const board = await contentBoard(site(), 'Traces')
    const { token } = board
    const visibility = { method: 'PUT', body: { 'prefs/permissionLevel': 'public' }, token }
    await site().json(`/boards/${board.id}`, visibility)
    await board.add({ name: 'Shown', desc: 'Shown text' })
    const before = await publicView(board)
    assert.equal(JSON.stringify(before).includes('"status":304'), true)
    const unchanged = async (what: string) =>
      assert.deepEqual(await publicView(board), before, what)

    const draft = await board.add({ name: 'Secret', idList: board.lists.draft })
    await unchanged('a draft is added')
    await board.change(draft.id, { name: 'Secret plan', desc: 'Shown secret', pos: 'top' })
    await unchanged('a draft is edited')
    await board.setItem(draft.id, board.fields.budget, { value: { number: '5' } })
    await site().api(`/cards/${draft.id}/idLabels`, {
      method: 'POST',
      body: { value: board.labels.web },
      token
    })
    await board.addImage(draft.id)
    await unchanged('a draft gets a field, a label and an image')
    for (const card of [draft.id, 'shown']) {
      const id = card === 'shown' ? (await board.readJson('/cards/shown')).id : card
      const comment = { method: 'POST', body: { text: 'secret comment' }, token }
      await site().json(`/cards/${id}/actions/comments`, comment)
    }
    await unchanged('cards are commented on')
    const patched = await board.patch(`/cards/${draft.id}`, { slug: 'secret' })
    assert.equal(patched.status, 200, patched.text)
    await unchanged('a draft gets a slug')
    await board.change(draft.id, { idList: board.lists.archive })
    await unchanged('a draft is moved to the archive')
    await site().json(`/lists/${board.lists.draft}`, {
      method: 'PUT',
      body: { name: 'Ideas' },
      token
    })
    await unchanged('a list of drafts is renamed')
    await site().json(`/cards/${draft.id}`, { method: 'DELETE', token })
    await unchanged('a draft is deleted')
    const owned = await board.readJson('', token)
    assert.ok(owned.revision > (await board.readJson('')).revision, 'members see the changes')
  })

  test('publishing and unpublishing count at once', async () => {
    const board = await contentBoard(site(), 'Publishing')
    const card = await board.add({ name: 'Now', idList: board.lists.draft })
    const tags = new Set<string | null>()
    const check = async (expected: string[]) => {
      const read = await board.read()
      assert.deepEqual(titles(JSON.parse(read.text)), expected)
      const tag = read.headers.get('etag')
      assert.equal(tags.has(tag), false, 'a new ETag')
      tags.add(tag)
    }
    await check([])
    const draftRole = (role: string) => board.patch(`/lists/${board.lists.draft}`, { role })
    await board.change(card.id, { idList: board.lists.published })
    await check(['Now'])
    await board.change(card.id, { closed: true })
    await check([])
    await board.change(card.id, { closed: false, idList: board.lists.draft })
    assert.deepEqual(titles(await board.readJson()), [])
    assert.equal((await draftRole('published')).status, 200)
    await check(['Now'])
    assert.equal((await draftRole('archive')).status, 200)
    await check([])
    assert.deepEqual(titles(await board.readJson('/cards', board.token)), [])
  })

  test('a private board shows nothing without a key, and a key nothing of another board', async () => {
    const board = await contentBoard(site(), 'Private')
    await board.add({ name: 'Mine' })
    const other = await contentBoard(site(), 'Elsewhere')
    for (const path of ['', '/cards', '/feed.xml', '/openapi.json']) {
      const anonymous = await site().ask(`/content/${board.slug}${path}`)
      const foreign = await board.read(path, other.key)
      const owner = await board.read(path, other.token)
      const unknown = await site().ask(`/content/nothing${path}`)
      for (const answer of [anonymous, foreign, owner]) {
        assert.deepEqual(seen(answer), seen(unknown), path)
      }
      assert.equal(unknown.status, 404)
    }
  })
})
