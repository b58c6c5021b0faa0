import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type CardsJson, type Site, sites } from './cards-site.ts'

const UNKNOWN = 'f'.repeat(24)
const NOT_FOUND = 'The requested resource was not found.'

/** A board with its lists, of a new member. */
async function newBoard(site: Site, token: string, more: object = {}): Promise<CardsJson> {
  return site.json('/boards', { method: 'POST', token, body: { name: 'Portfolio', ...more } })
}

sites('Boards, lists and labels', {}, (site) => {
  let ada = ''
  let eve = ''
  before(async () => {
    ada = await site().member('ada')
    eve = await site().member('eve')
  })

  describe('boards', () => {
    test('a new board has three lists and six labels', async () => {
      const { json } = site()
      const board = await newBoard(site(), ada, { desc: 'Work', prefs_selfJoin: false })
      assert.deepEqual(Object.keys(board), [
        ...['id', 'name', 'desc', 'descData', 'closed', 'idOrganization', 'idEnterprise'],
        ...['pinned', 'url', 'shortUrl', 'prefs', 'labelNames', 'limits']
      ])
      assert.match(board.id, /^[0-9a-f]{24}$/)
      assert.equal(board.url, `${board.shortUrl}/portfolio`)
      assert.equal(board.prefs.permissionLevel, 'private')
      assert.equal(board.prefs.selfJoin, false)
      const lists = await json(`/boards/${board.id}/lists`, { token: ada })
      assert.deepEqual(
        lists.map(({ name, pos }: CardsJson) => [name, pos]),
        [
          ['To Do', 65535],
          ['Doing', 131071],
          ['Done', 196607]
        ]
      )
      const labels = await json(`/boards/${board.id}/labels`, { token: ada })
      assert.deepEqual(
        labels.map(({ color }: CardsJson) => color),
        ['green', 'yellow', 'orange', 'red', 'purple', 'blue']
      )
    })

    test('defaultLists and defaultLabels leave them out, as text or JSON', async () => {
      const { json } = site()
      const query = new URLSearchParams({
        name: 'Empty',
        defaultLists: '0',
        defaultLabels: 'false',
        prefs_permissionLevel: 'public'
      })
      const board = await json(`/boards/?${query}`, { method: 'POST', token: ada })
      assert.equal(board.prefs.permissionLevel, 'public')
      assert.deepEqual(await json(`/boards/${board.id}/lists/all`, { token: ada }), [])
      assert.deepEqual(await json(`/boards/${board.id}/labels`, { token: ada }), [])
    })

    test('the short link is as good as the id', async () => {
      const board = await newBoard(site(), ada)
      const link = board.shortUrl.split('/').at(-1)
      const { id } = await site().json(`/boards/${link}?fields=id`, { token: ada })
      assert.equal(id, board.id)
    })

    test('fields selects, and the id is always there', async () => {
      const { json } = site()
      const { id } = await newBoard(site(), ada)
      assert.deepEqual(await json(`/boards/${id}?fields=name,,desc,toString`, { token: ada }), {
        id,
        name: 'Portfolio',
        desc: ''
      })
      const all = await json(`/boards/${id}?fields=all`, { token: ada })
      assert.equal(all.memberships.length, 1)
      assert.equal(typeof all.dateLastActivity, 'string')
      assert.deepEqual(await json(`/boards/${id}/name`, { token: ada }), { _value: 'Portfolio' })
      assert.equal((await json(`/boards/${id}/PREFS`, { token: ada })).voting, 'disabled')
      const unknown = await site().api(`/boards/${id}/colour`, { token: ada })
      assert.deepEqual([unknown.status, unknown.text], [404, `Cannot GET /1/boards/${id}/colour`])
    })

    test('a change names its fields in three ways and is an action', async () => {
      const { json } = site()
      const { id } = await newBoard(site(), ada)
      const path = `/boards/${id}`
      const changed = await json(path, {
        method: 'PUT',
        token: ada,
        body: new URLSearchParams({
          name: 'Projects',
          'prefs/comments': 'public',
          'labelNames/green': 'Done'
        })
      })
      assert.equal(changed.name, 'Projects')
      assert.equal(changed.prefs.comments, 'public')
      assert.equal(changed.labelNames.green, 'Done')
      const labels = await json(`${path}/labels`, { token: ada })
      assert.equal(labels[0].name, 'Done')
      const closed = await json(`${path}/closed?value=true`, { method: 'PUT', token: ada })
      assert.equal(closed.closed, true)
      const open = await json(path, { method: 'PUT', token: ada, body: { closed: false } })
      assert.equal(open.closed, false)
    })

    test('ids and times cannot be set', async () => {
      const { json } = site()
      const board = await newBoard(site(), ada)
      const body = {
        id: UNKNOWN,
        shortLink: 'abcdefgh',
        dateLastActivity: '2000-01-01',
        idMemberCreator: UNKNOWN,
        revision: 9
      }
      const path = `/boards/${board.id}?fields=all`
      const before = await json(path, { token: ada })
      await json(path, { method: 'PUT', token: ada, body })
      assert.deepEqual(await json(path, { token: ada }), before)
    })

    test('wrong values are named', async () => {
      const { id } = await newBoard(site(), ada)
      const wrong: [string, object, string][] = [
        ['POST /boards', {}, 'invalid value for name'],
        ['POST /boards', { name: ' ' }, 'invalid value for name'],
        ['POST /boards', { name: 'a\0b' }, 'invalid value for name'],
        ['POST /boards', { name: 'a', defaultLists: 'maybe' }, 'invalid value for defaultLists'],
        [`PUT /boards/${id}`, { name: 'x'.repeat(16385) }, 'invalid value for name'],
        [`PUT /boards/${id}`, { name: ['a'] }, 'invalid value for name'],
        [
          `PUT /boards/${id}`,
          { prefs: { permissionLevel: 'all' } },
          'invalid value for prefs/permissionLevel'
        ],
        ['POST /lists', { name: 'a' }, 'invalid value for idBoard'],
        ['POST /lists', { name: 'a', idBoard: 'x' }, 'invalid value for idBoard'],
        ['POST /lists', { name: 'a', idBoard: id, pos: -1 }, 'invalid value for pos'],
        ['POST /labels', { name: 'a', idBoard: id, color: 'beige' }, 'invalid value for color']
      ]
      for (const [line, body, text] of wrong) {
        const [method = '', path = ''] = line.split(' ')
        const response = await site().api(path, { method, body, token: ada })
        assert.deepEqual([response.status, response.text], [400, text], line)
      }
      const copy = await site().api('/boards', {
        method: 'POST',
        token: ada,
        body: { name: 'Copy', idBoardSource: id }
      })
      assert.equal(copy.status, 400)
      assert.match(copy.text, /^Boards cannot be copied here/)
    })

    test('a removed board is unknown, with all that was on it', async () => {
      const { json, api } = site()
      const { id } = await newBoard(site(), ada)
      const [list] = await json(`/boards/${id}/lists`, { token: ada })
      const [label] = await json(`/boards/${id}/labels`, { token: ada })
      assert.deepEqual(await json(`/boards/${id}`, { method: 'DELETE', token: ada }), {
        _value: null
      })
      for (const path of [`/boards/${id}`, `/lists/${list.id}`, `/labels/${label.id}`]) {
        const { status, text } = await api(path, { token: ada })
        assert.deepEqual([status, text], [404, NOT_FOUND])
      }
    })

    test('a board with parts: lists, labels, members, workspace', async () => {
      const { id } = await newBoard(site(), ada)
      const parts =
        'fields=name&lists=open&list_fields=name&labels=all&label_fields=color&labels_limit=2' +
        '&members=all&organization=true&organization_fields=name&pluginData=true&tags=none'
      const board = await site().json(`/boards/${id}/?${parts}`, { token: ada })
      assert.deepEqual(Object.keys(board).sort(), [
        ...['id', 'labels', 'lists', 'members', 'name', 'organization', 'pluginData']
      ])
      assert.deepEqual(Object.keys(board.lists[0]), ['id', 'name'])
      assert.deepEqual(
        board.labels.map(({ color }: CardsJson) => color),
        ['green', 'yellow']
      )
      assert.equal(board.members[0].username, 'ada')
      assert.equal(board.organization.name, 'ada')
      assert.deepEqual(board.pluginData, [])
    })

    test('boards of the same name have different slugs at the console', async () => {
      const own = await site().member('slugs')
      await newBoard(site(), own)
      const second = await newBoard(site(), own)
      const { secret } = await site().token({ flags: { member: 'slugs', board: 'portfolio-2' } })
      const boards = await site().json('/members/me/boards?fields=id', { token: secret })
      assert.deepEqual(boards, [{ id: second.id }])
    })
  })

  describe('lists', () => {
    test('a new list is at the top, unless pos tells otherwise', async () => {
      const { json } = site()
      const { id } = await newBoard(site(), ada)
      const add = (name: string, pos?: string | number) =>
        json('/lists', { method: 'POST', token: ada, body: { name, idBoard: id, pos } })
      const top = await add('First')
      assert.deepEqual(Object.keys(top), ['id', 'name', 'closed', 'pos', 'idBoard', 'limits'])
      assert.equal(top.pos, 32767.5)
      await add('Last', 'bottom')
      await add('Second', '40000')
      const lists = await json(`/boards/${id}/lists?fields=name`, { token: ada })
      assert.deepEqual(
        lists.map(({ name }: CardsJson) => name),
        ['First', 'Second', 'To Do', 'Doing', 'Done', 'Last']
      )
    })

    test('closed lists are listed by the filter', async () => {
      const { json, api } = site()
      const { id } = await newBoard(site(), ada)
      const list = await json(`/boards/${id}/lists`, {
        method: 'POST',
        token: ada,
        body: { name: 'Old' }
      })
      const closed = await json(`/lists/${list.id}/closed`, {
        method: 'PUT',
        token: ada,
        body: { value: true }
      })
      assert.equal(closed.closed, true)
      const names = async (filter: string) =>
        (await json(`/boards/${id}/lists${filter}`, { token: ada })).map(
          ({ name }: CardsJson) => name
        )
      assert.deepEqual(await names('/closed'), ['Old'])
      assert.deepEqual(await names('?filter=closed'), ['Old'])
      assert.equal((await names('')).length, 3)
      assert.equal((await names('/all')).length, 4)
      const wrong = await api(`/boards/${id}/lists/some`, { token: ada })
      assert.deepEqual([wrong.status, wrong.text], [400, 'invalid value for filter'])
    })

    test('fields of a list, its board and its name', async () => {
      const { json } = site()
      const { id } = await newBoard(site(), ada)
      const [list] = await json(`/boards/${id}/lists`, { token: ada })
      assert.deepEqual(await json(`/lists/${list.id}/name`, { token: ada }), { _value: 'To Do' })
      assert.equal((await json(`/lists/${list.id}/board`, { token: ada })).id, id)
      const path = `/list/${list.id}/name?value=Plans`
      assert.equal((await json(path, { method: 'PUT', token: ada })).name, 'Plans')
    })

    test('a list moves to another board, never to one of another member', async () => {
      const { json, api } = site()
      const one = await newBoard(site(), ada)
      const two = await newBoard(site(), ada)
      const foreign = await newBoard(site(), eve)
      const [list] = await json(`/boards/${one.id}/lists`, { token: ada })
      const path = `/lists/${list.id}`
      const denied = await api(path, { method: 'PUT', token: ada, body: { idBoard: foreign.id } })
      assert.deepEqual([denied.status, denied.text], [404, NOT_FOUND])
      const moved = await json(path, { method: 'PUT', token: ada, body: { idBoard: two.id } })
      assert.equal(moved.idBoard, two.id)
      assert.equal((await json(`/boards/${one.id}/lists`, { token: ada })).length, 2)
      assert.equal((await json(`/boards/${two.id}/lists`, { token: ada })).length, 4)
    })
  })

  describe('labels', () => {
    test('labels are added, changed and removed', async () => {
      const { json, api } = site()
      const { id } = await newBoard(site(), ada, { defaultLabels: false })
      const label = await json('/labels', {
        method: 'POST',
        token: ada,
        body: { name: 'Web', color: 'sky_dark', idBoard: id }
      })
      assert.deepEqual(label, {
        id: label.id,
        idBoard: id,
        name: 'Web',
        color: 'sky_dark',
        limits: {}
      })
      const plain = await json(`/boards/${id}/labels?name=&color=null`, {
        method: 'POST',
        token: ada
      })
      assert.deepEqual([plain.name, plain.color], ['', null])
      const path = `/labels/${label.id}`
      const red = await json(`${path}/color?value=red`, { method: 'PUT', token: ada })
      assert.equal(red.color, 'red')
      const renamed = await json(path, { method: 'PUT', token: ada, body: { name: 'Site' } })
      assert.deepEqual([renamed.name, renamed.color], ['Site', 'red'])
      assert.deepEqual(await json(`${path}/name`, { token: ada }), { _value: 'Site' })
      assert.deepEqual(await json(path, { method: 'DELETE', token: ada }), { limits: {} })
      assert.equal((await api(path, { token: ada })).status, 404)
    })
  })

  describe('members, tokens and workspaces', () => {
    test('me is the member of the token, whoever the parameters name', async () => {
      const { json, api } = site()
      const me = await json('/members/me', { token: ada })
      assert.equal(me.username, 'ada')
      assert.equal(me.initials, 'A')
      for (const query of ['customerId=1', 'member=eve', `idMember=${UNKNOWN}`, 'owner=eve']) {
        assert.deepEqual(await json(`/members/me?${query}`, { token: ada }), me)
      }
      assert.deepEqual(await json(`/member/${me.id}`, { token: ada }), me)
      assert.deepEqual(await json('/members/ADA', { token: ada }), me)
      for (const other of ['eve', UNKNOWN, 'me2']) {
        const { status, text } = await api(`/members/${other}`, { token: ada })
        assert.deepEqual([status, text], [404, NOT_FOUND])
      }
      assert.deepEqual(await json('/members/me/username', { token: ada }), { _value: 'ada' })
      const nested = await json('/members/me?fields=username&boards=all&board_fields=name', {
        token: ada
      })
      assert.deepEqual(Object.keys(nested), ['id', 'username', 'boards'])
    })

    test('boards of a member and of its workspace', async () => {
      const { json, api } = site()
      const token = await site().member('grace')
      const { id } = await newBoard(site(), token)
      const me = await json('/members/me', { token })
      const boards = await json('/members/me/boards?filter=open&fields=name', { token })
      assert.deepEqual(boards, [{ id, name: 'Portfolio' }])
      assert.deepEqual(await json('/members/me/boards?filter=closed', { token }), [])
      const [organization] = await json('/members/me/organizations', { token })
      assert.deepEqual(organization.idBoards, [id])
      for (const name of [organization.id, 'grace', 'me']) {
        const found = await json(`/organizations/${name}?fields=all`, { token })
        assert.deepEqual(found, organization)
        assert.equal((await json(`/organization/${name}/boards`, { token }))[0].id, id)
      }
      assert.deepEqual(me.idOrganizations, [organization.id])
      assert.equal((await api(`/organizations/${organization.id}`, { token: ada })).status, 404)
    })

    test('a token tells about itself alone, and ends itself', async () => {
      const { json, api } = site()
      const { secret } = await site().token({ name: 'My app', flags: { member: 'ada' } })
      const token = await json(`/tokens/${secret}`, { token: secret })
      assert.equal(token.identifier, 'My app')
      assert.equal(token.dateExpires, null)
      assert.match(token.id, /^[0-9a-f]{24}$/)
      const member = await json(`/tokens/${secret}/member?fields=username`, { token: secret })
      assert.equal(member.username, 'ada')
      for (const method of ['GET', 'DELETE']) {
        const other = await api(`/tokens/${ada}`, { token: secret, method })
        assert.deepEqual([other.status, other.text], [404, NOT_FOUND])
      }
      assert.deepEqual(await json(`/tokens/${secret}`, { token: secret, method: 'DELETE' }), {})
      const ended = await api(`/tokens/${secret}`, { token: secret })
      assert.deepEqual([ended.status, ended.text], [401, 'invalid token'])
    })
  })

  describe('batches', () => {
    test('up to ten GET requests, each with the status of its own', async () => {
      const { json, api } = site()
      const { id } = await newBoard(site(), ada)
      const foreign = await newBoard(site(), eve)
      const urls = [
        `/boards/${id}?fields=name,desc`,
        `/boards/${foreign.id}?key=k&token=${eve}`,
        '/boards/x',
        '/nothing',
        '/batch?urls=/members/me'
      ]
      const results = await json(`/batch?urls=${encodeURIComponent(urls.join(','))}`, {
        token: ada
      })
      assert.deepEqual(results[0], { 200: { id, name: 'Portfolio', desc: '' } })
      assert.deepEqual(
        results.map((result: object) => Object.keys(result)[0]),
        ['200', '404', '400', '404', '400']
      )
      const many = await api(`/batch?urls=${Array(11).fill('/members/me').join(',')}`, {
        token: ada
      })
      assert.equal(many.status, 400)
      const none = await api('/batch', { token: ada })
      assert.deepEqual([none.status, none.text], [400, 'invalid value for urls'])
      const [anonymous] = await json('/batch?urls=/members/me')
      assert.deepEqual(Object.keys(anonymous), ['401'])
    })
  })
})
