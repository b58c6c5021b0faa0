/** A board with one of everything, made over HTTP, for tests of access to it. */
import type { CardsJson, Site } from '../contract/cards-site.ts'
import { PIXEL } from '../contract/statuses-site.ts'
import type { Answer } from './contract.ts'

const DAY_MS = 24 * 3600 * 1000

export type Fields = Readonly<Record<string, unknown>>

export interface CardRequest {
  method: string
  path: string
  /** Sent as JSON unless it is a form; of GET in the query. */
  body?: Fields | FormData | undefined
  token?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

export async function askFor({ ask }: Site, request: CardRequest): Promise<Answer> {
  const { method, path, body, token, headers = {} } = request
  const inQuery = method === 'GET' && body !== undefined && !(body instanceof FormData)
  return inQuery
    ? ask(withQuery(path, body), { method, token, headers })
    : ask(path, { method, token, headers, body })
}

function withQuery(path: string, fields: Fields): string {
  const query = new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [name, String(value)])
  )
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

/** Ids of a board and of what is on it. */
export interface World {
  token: string
  member: string
  organization: string
  board: string
  boardLink: string
  /** Of the role `published`; the draft is in another one. */
  list: string
  draftList: string
  card: string
  cardLink: string
  otherCard: string
  draft: string
  archived: string
  /** In the same list as the published card. */
  scheduled: string
  label: string
  /** A custom field with options, and one of text. */
  field: string
  option: string
  textField: string
  attachment: string
  preview: string
  fileName: string
  checklist: string
  checkItem: string
  comment: string
  /** Not active, so that nothing is sent. */
  webhook: string
  /** A URL that responds to HEAD with 200, the same for all. */
  callback: string
}

/** A form with an image of one pixel. */
export function imageForm(fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(PIXEL)], { type: 'image/png' }), 'pixel.png')
  return form
}

/** Adds a board for the member of the token; nonet must be able to call itself. */
export async function buildWorld({ json, ask, url }: Site, token: string): Promise<World> {
  const add = (path: string, body: Fields | FormData): Promise<CardsJson> =>
    json(path, { method: 'POST', token, body })
  const member = await json('/members/me', { token })
  const [organization] = await json('/members/me/organizations', { token })
  const { id: board } = await add('/boards', { name: 'Work', defaultLists: false })
  const { shortLink } = await json(`/boards/${board}?fields=shortLink`, { token })
  const list = await add('/lists', { idBoard: board, name: 'Done', pos: 'bottom' })
  const drafts = await add('/lists', { idBoard: board, name: 'Drafts', pos: 'bottom' })
  const addCard = (name: string, idList: string) => add('/cards', { name, idList, desc: 'Text' })
  const card = await addCard('Bridge', list.id)
  const otherCard = await addCard('Tower', list.id)
  const draft = await addCard('Secret', drafts.id)
  const archived = await addCard('Bygone', list.id)
  await json(`/cards/${archived.id}`, { method: 'PUT', token, body: { closed: true } })
  const scheduled = await addCard('Secret launch', list.id)
  const { status } = await ask(`/content/${board}/cards/${scheduled.id}`, {
    method: 'PATCH',
    token,
    body: { publishAt: new Date(Date.now() + DAY_MS).toISOString() }
  })
  if (status !== 200) throw new Error(`The card was not scheduled: ${status}`)
  const label = await add('/labels', { idBoard: board, name: 'Stone', color: 'green' })
  const shared = { idModel: board, modelType: 'board', pos: 'bottom' }
  const field = await add('/customFields', { ...shared, name: 'Size', type: 'list' })
  const textField = await add('/customFields', { ...shared, name: 'Client', type: 'text' })
  const large = { value: { text: 'Large' }, pos: 'bottom' }
  const option = await add(`/customFields/${field.id}/options`, large)
  const attachment = await add(`/cards/${card.id}/attachments`, imageForm())
  const checklist = await add('/checklists', { idCard: card.id, name: 'Steps' })
  const checkItem = await add(`/checklists/${checklist.id}/checkItems`, { name: 'One' })
  const comment = await add(`/cards/${card.id}/actions/comments`, { text: 'Nice' })
  const callback = `${url}/content`
  const target = { idModel: board, callbackURL: callback, active: false }
  const webhook = await add('/webhooks', target)
  return {
    token,
    member: member.id,
    organization: organization.id,
    board,
    boardLink: shortLink,
    list: list.id,
    draftList: drafts.id,
    card: card.id,
    cardLink: card.shortLink,
    otherCard: otherCard.id,
    draft: draft.id,
    archived: archived.id,
    scheduled: scheduled.id,
    label: label.id,
    field: field.id,
    option: option.id,
    textField: textField.id,
    attachment: attachment.id,
    preview: attachment.previews[0].id,
    fileName: attachment.url.split('/').at(-1),
    checklist: checklist.id,
    checkItem: checkItem.id,
    comment: comment.id,
    webhook: webhook.id,
    callback
  }
}

const UNKNOWN_DIGITS = '5fedcba98765432100000000'

/** The same with ids that no object has, each of the form of the other. */
export function unknownWorld(world: World): World {
  const entries = Object.entries(world).map(([key, value]) => [key, unknownLike(value)])
  return { ...Object.fromEntries(entries), fileName: world.fileName, callback: world.callback }
}

function unknownLike(value: string): string {
  if (/^[0-9a-f]{64}$/.test(value)) return `${'0'.repeat(40)}${UNKNOWN_DIGITS}`
  if (/^[0-9a-f]{24}$/.test(value)) return UNKNOWN_DIGITS
  return value.replace(/[A-Za-z]/g, 'Q').replace(/[0-9]/g, '7')
}

/** Ids in capital letters. */
export function inCapitals(world: World): World {
  const entries = Object.entries(world).map(([key, value]) => [
    key,
    /^[0-9a-f]{24}$/.test(value) ? value.toUpperCase() : value
  ])
  return Object.fromEntries(entries)
}

/** Boards and cards by their short links. */
export function byLinks(world: World): World {
  return { ...world, board: world.boardLink, card: world.cardLink }
}
