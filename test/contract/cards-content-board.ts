import assert from 'node:assert/strict'
import type { Answer } from '../support/contract.ts'
import type { CardsJson, Site } from './cards-site.ts'
import { pixel } from './statuses-site.ts'

/** A board of projects and what the tests do with it. */
export interface ContentBoard {
  site: Site
  /** Token of the member. */
  token: string
  /** A publishable key. */
  key: string
  id: string
  slug: string
  lists: { published: string; draft: string; archive: string }
  labels: { web: string; german: string }
  fields: { completed: string; url: string; budget: string; open: string; kind: string }
  options: { shop: string; blog: string }
  add: (fields: object) => Promise<CardsJson>
  change: (card: string, fields: object) => Promise<CardsJson>
  setItem: (card: string, field: string, body: object) => Promise<void>
  addImage: (card: string, name?: string) => Promise<CardsJson>
  /** A path below the board, with the publishable key unless another token is named. */
  read: (path?: string, token?: string, headers?: Record<string, string>) => Promise<Answer>
  /** The same; fails unless the status is 200. */
  readJson: (path?: string, token?: string) => Promise<CardsJson>
  /** A change by the content API. */
  patch: (path: string, body: object, token?: string) => Promise<Answer>
}

let members = 0

/** With the lists Published, Draft and Archive, and one member of its own. */
export async function contentBoard(site: Site, name = 'Projects'): Promise<ContentBoard> {
  const user = `ada${++members}`
  const token = await site.member(user)
  const post = (path: string, body: object) => site.json(path, { method: 'POST', body, token })
  const board = await post('/boards', { name, defaultLists: false, defaultLabels: false })
  const list = async (named: string) =>
    (await post('/lists', { name: named, idBoard: board.id, pos: 'bottom' })).id
  const lists = {
    published: await list('Published'),
    draft: await list('Draft'),
    archive: await list('Archive')
  }
  const label = async (named: string, color: string) =>
    (await post('/labels', { name: named, color, idBoard: board.id })).id
  const labels = { web: await label('Web', 'green'), german: await label('lang:de', 'blue') }
  const field = (named: string, type: string, more: object = {}) =>
    post('/customFields', {
      idModel: board.id,
      modelType: 'board',
      name: named,
      type,
      pos: 'bottom',
      ...more
    })
  const kind = await field('Kind', 'list', {
    options: [{ value: { text: 'Shop' } }, { value: { text: 'Blog' } }]
  })
  const fields = {
    completed: (await field('Completed', 'date')).id,
    url: (await field('URL', 'text')).id,
    budget: (await field('Budget', 'number')).id,
    open: (await field('Open source', 'checkbox')).id,
    kind: kind.id
  }
  const [shop, blog] = kind.options
  const key = await site.publishable(user, board.id)
  const slug = (await site.ask(`/content/${board.id}`, { token })).text
  const path = `/content/${JSON.parse(slug).slug}`
  const read: ContentBoard['read'] = (below = '/cards', secret = key, headers = {}) =>
    site.ask(path + below, { token: secret, headers })
  return {
    site,
    token,
    key,
    id: board.id,
    slug: JSON.parse(slug).slug,
    lists,
    labels,
    fields,
    options: { shop: shop.id, blog: blog.id },
    add: (more) => post('/cards', { idList: lists.published, ...more }),
    change: (card, more) => site.json(`/cards/${card}`, { method: 'PUT', body: more, token }),
    async setItem(card, named, body) {
      const target = `/cards/${card}/customField/${named}/item`
      await site.json(target, { method: 'PUT', body, token })
    },
    async addImage(card, named = 'photo.png') {
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(pixel(7))], { type: 'image/png' }), named)
      return site.json(`/cards/${card}/attachments`, { method: 'POST', body: form, token })
    },
    read,
    async readJson(below, secret) {
      const { status, text } = await read(below, secret)
      assert.equal(status, 200, text)
      return JSON.parse(text)
    },
    patch: (below, body, secret = token) =>
      site.ask(path + below, { method: 'PATCH', body, token: secret })
  }
}

export function titles({ cards }: CardsJson): string[] {
  return cards.map(({ title }: CardsJson) => title)
}
