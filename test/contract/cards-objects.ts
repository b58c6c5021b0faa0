import assert from 'node:assert/strict'
import type { CardsJson, CardsRequest, Site } from './cards-site.ts'

export const UNKNOWN = 'f'.repeat(24)
export const NOT_FOUND = 'The requested resource was not found.'

/** Requests of one member, and the objects that tests need. */
export interface Workbench {
  token: string
  board: CardsJson
  list: CardsJson
  /** In the role `draft`. */
  drafts: CardsJson
  get: (path: string) => Promise<CardsJson>
  post: (path: string, body?: unknown) => Promise<CardsJson>
  put: (path: string, body?: unknown) => Promise<CardsJson>
  remove: (path: string) => Promise<CardsJson>
  /** Fails unless the response is this error. */
  rejects: (
    expected: [status: number, text: string],
    method: string,
    path: string,
    body?: unknown
  ) => Promise<void>
  newCard: (body?: object) => Promise<CardsJson>
  newField: (type: string, more?: object) => Promise<CardsJson>
}

export async function prepare(site: Site, userName: string): Promise<Workbench> {
  const token = await site.member(userName)
  const request = (method: string) => (path: string, body?: unknown) =>
    site.json(path, { method, token, ...(body !== undefined && { body }) } satisfies CardsRequest)
  const [get, post] = [request('GET'), request('POST')]
  const options = { defaultLists: false, defaultLabels: false }
  const board = await post('/boards', { name: 'Portfolio', ...options })
  const list = await post('/lists', { name: 'Projects', idBoard: board.id })
  const drafts = await post('/lists', { name: 'Drafts', idBoard: board.id, pos: 'bottom' })
  return {
    ...{ token, board, list, drafts, get, post },
    put: request('PUT'),
    remove: request('DELETE'),
    async rejects([status, expected], method, path, body) {
      const { status: sent, text } = await site.api(path, { method, token, body })
      assert.deepEqual([sent, text], [status, expected], `${method} ${path}`)
    },
    newCard: (body = {}) => post('/cards', { idList: list.id, name: 'Bridge', ...body }),
    newField: (type, more = {}) =>
      post('/customFields', {
        ...{ idModel: board.id, modelType: 'board', name: type, type, pos: 'bottom' },
        ...more
      })
  }
}
