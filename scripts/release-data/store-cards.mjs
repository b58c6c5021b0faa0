import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { png } from '../../test/support/statuses-media.ts'

const SERVICE = 'cards'
const bearer = (token) => ({ authorization: `Bearer ${token}` })

/** A board of a member with cards in each state, files, tokens and a sealed key; an imported board. */
export async function storeCards({ send, command, folder }) {
  const file = join(folder, 'board.json')
  writeFileSync(file, JSON.stringify(exportedBoard()))
  await command('import', SERVICE, file)
  const create = async (...rest) =>
    JSON.parse(await command('token', 'create', SERVICE, '--json', '--member', 'ada', ...rest))
  const laptop = await create('--name', 'laptop', '--new-member')
  const lost = await create('--name', 'lost', '--scope', 'read')
  await command('token', 'revoke', SERVICE, lost.token.id)
  const stored = await storeBoard(send, laptop.secret)
  const { board } = stored
  const site = await create('--name', 'site', '--scope', 'published', '--board', board.id)
  return [
    ...ownRequests(laptop.secret, lost.secret, stored),
    ...publicRequests(site.secret, stored)
  ]
}

/** As Trello exports it. */
function exportedBoard() {
  const id = (number) => `5f0e8e8e${number.toString(16).padStart(16, '0')}`
  const list = { id: id(2), name: 'Done', closed: false, pos: 65535, idBoard: id(1) }
  const label = { id: id(3), idBoard: id(1), name: 'Stone', color: 'green' }
  const field = {
    ...{ id: id(4), idModel: id(1), modelType: 'board', name: 'Client', type: 'text' },
    ...{ pos: 16384, display: { cardFront: true }, options: [] }
  }
  const item = { id: id(5), idCustomField: id(4), idModel: id(6), value: { text: 'Ada & Co' } }
  const card = {
    ...{ id: id(6), idList: id(2), idShort: 1, name: 'Brücke über den Fluss', desc: '**Stone**' },
    ...{ closed: false, pos: 65535, idLabels: [id(3)], customFieldItems: [item] },
    ...{ attachments: [], dateLastActivity: '2025-01-02T03:04:05.678Z' }
  }
  return {
    ...{ id: id(1), name: 'Bridges', desc: '', closed: false, shortLink: 'Br1dges9' },
    ...{ prefs: { permissionLevel: 'public' }, labelNames: { green: 'Stone' } },
    ...{ lists: [list], labels: [label], customFields: [field], cards: [card] },
    ...{ checklists: [], actions: [], members: [] }
  }
}

async function storeBoard(send, token) {
  const call = async (method, path, value) =>
    JSON.parse(await send(SERVICE, method, path, JSON.stringify(value), bearer(token)))
  const post = (path, value) => call('POST', `/1${path}`, value)
  const put = (path, value) => call('PUT', `/1${path}`, value)
  const board = await post('/boards', { name: 'Projects', defaultLists: false })
  const inBoard = { idBoard: board.id, pos: 'bottom' }
  const shown = await post('/lists', { ...inBoard, name: 'Published' })
  const drafts = await post('/lists', { ...inBoard, name: 'Drafts' })
  const label = await post('/labels', { ...inBoard, name: 'Web', color: 'sky' })
  const fields = { idModel: board.id, modelType: 'board', pos: 'bottom' }
  const url = await post('/customFields', { ...fields, name: 'URL', type: 'text' })
  const add = (name, list) =>
    post('/cards', { name, idList: list.id, desc: `About **${name}** <b>`, idLabels: label.id })
  const card = await add('Garden', shown)
  const draft = await add('Secret', drafts)
  const archived = await add('Bygone', shown)
  const deleted = await add('Deleted', shown)
  await put(`/cards/${archived.id}`, { closed: true })
  await call('DELETE', `/1/cards/${deleted.id}`)
  const value = { value: { text: 'https://example.com/garden' } }
  await put(`/cards/${card.id}/customField/${url.id}/item`, value)
  await post(`/cards/${card.id}/attachments`, { url: 'https://example.com/plan', name: 'Plan' })
  const image = await upload(send, token, card.id, png(78, 16, 12))
  const hidden = await upload(send, token, draft.id, png(79, 8, 8))
  const checklist = await post('/checklists', { idCard: card.id, name: 'Steps' })
  await post(`/checklists/${checklist.id}/checkItems`, { name: 'Dig' })
  await post(`/cards/${card.id}/actions/comments`, { text: 'Nice' })
  const content = `/content/${board.id}`
  await call('PATCH', `${content}/cards/${card.id}`, {
    slug: 'my-garden',
    images: [{ id: image.id, alt: 'A garden' }]
  })
  const preview = await call('POST', `${content}/preview-tokens`, { expires: '30d' })
  const path = `${content}/attachments/${hidden.id}/signed-url`
  const signed = await call('POST', path, { expires: '7d' })
  return { board, card, draft, archived, deleted, image, hidden, preview, signed }
}

async function upload(send, token, card, bytes) {
  const form = new FormData()
  form.set('file', new Blob([bytes], { type: 'image/png' }), 'bed.png')
  const encoded = new Response(form)
  const headers = { ...bearer(token), 'content-type': encoded.headers.get('content-type') }
  const body = Buffer.from(await encoded.arrayBuffer())
  return JSON.parse(await send(SERVICE, 'POST', `/1/cards/${card}/attachments`, body, headers))
}

function ownRequests(token, revoked, { board, card, draft, archived, deleted, image }) {
  const of = (path, secret = token) => ({ service: SERVICE, path, headers: bearer(secret) })
  const nested = 'attachments=true&customFieldItems=true&checklists=all'
  return [
    of('/1/members/me'),
    of('/1/members/me/boards'),
    of('/1/members/me', revoked),
    of(`/1/boards/${board.id}?fields=all&cards=all&lists=all&labels=all&customFields=true`),
    of(`/1/boards/${board.id}/actions`),
    ...[card, draft, archived, deleted].map(({ id }) => of(`/1/cards/${id}?${nested}`)),
    of(`/1/cards/${card.id}/attachments/${image.id}/download/bed.png`),
    of('/1/search?query=secret&modelTypes=cards')
  ]
}

function publicRequests(key, { board, card, draft, hidden, preview, signed }) {
  const of = (path, secret) => ({
    ...{ service: SERVICE, path },
    ...(secret !== undefined && { headers: bearer(secret) })
  })
  const content = (path, secret) => ({ ...of(path, secret), tagOfVersion: true })
  const file = `/1/cards/${draft.id}/attachments/${hidden.id}/download/bed.png`
  const { pathname, search } = new URL(signed.url)
  return [
    content(`/content/${board.id}`, key),
    content(`/content/${board.id}/cards`, key),
    content(`/content/${board.id}/cards/my-garden`, key),
    content(`/content/${board.id}/feed.json`, key),
    content('/content/bridges/cards'),
    content(`/content/${board.id}/cards`),
    of(`/1/cards/${card.id}`, key),
    of(`/1/cards/${draft.id}`, key),
    of('/1/boards/Br1dges9?cards=all&card_customFieldItems=true'),
    of(file, key),
    of(pathname + search),
    content(`/content/${board.id}/feed.json`, preview.token)
  ]
}
