import assert from 'node:assert/strict'
import sharp from 'sharp'
import type { CardsJson, Site } from '../contract/cards-site.ts'
import { plantSegments, SECRET } from './planted-images.ts'

type Headers = Readonly<Record<string, string>>
type Fields = Readonly<Record<string, string>>

/** A board with a published list, a draft list and a card in the first. */
export interface TestBoard {
  userName: string
  token: string
  board: string
  published: string
  drafts: string
  card: string
}

let members = 0

export async function openBoard(site: Site, prefs = 'public'): Promise<TestBoard> {
  const userName = `files${members++}`
  const token = await site.member(userName)
  const add = (path: string, body: object) => site.json(path, { method: 'POST', token, body })
  const board = await add('/boards', {
    name: 'Projects',
    defaultLists: false,
    prefs_permissionLevel: prefs
  })
  const published = await add('/lists', { name: 'Published', idBoard: board.id })
  const drafts = await add('/lists', { name: 'Drafts', idBoard: board.id })
  const card = await add('/cards', { name: 'A bridge', idList: published.id })
  return {
    userName,
    token,
    board: board.id,
    published: published.id,
    drafts: drafts.id,
    card: card.id
  }
}

/** A form with one file; fields of `after` follow it. */
export function fileForm(
  bytes: Uint8Array,
  name: string,
  fields: Fields = {},
  after: Fields = {}
): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  for (const [field, value] of Object.entries(after)) form.append(field, value)
  return form
}

/** Uploads with the token of the board; fails unless it succeeds. */
export async function upload(
  site: Site,
  { card, token }: Pick<TestBoard, 'card' | 'token'>,
  bytes: Uint8Array,
  { name = 'photo.jpg', ...fields }: Fields = {}
): Promise<CardsJson> {
  const body = fileForm(bytes, name, fields)
  return site.json(`/cards/${card}/attachments`, { method: 'POST', token, body })
}

export interface Download {
  status: number
  headers: globalThis.Headers
  bytes: Buffer
}

export async function download(
  url: string,
  headers: Headers = {},
  method = 'GET'
): Promise<Download> {
  const response = await fetch(url, { method, headers, redirect: 'manual' })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}

export async function found(url: string, headers?: Headers): Promise<Download> {
  const response = await download(url, headers)
  assert.equal(response.status, 200, `${url}: ${response.bytes.toString('latin1', 0, 200)}`)
  return response
}

export async function jpeg(width: number, height: number, background = '#c03020'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer()
}

/** As a camera writes it: where it was taken is in several parts of the file. */
export async function gpsPhoto(width = 400, height = 300): Promise<Buffer> {
  const photo = sharp({ create: { width, height, channels: 3, background: '#3060c0' } })
  const tagged = photo.jpeg().withExif({
    IFD0: { ImageDescription: SECRET },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 51/1 30/1', GPSProcessingMethod: SECRET }
  })
  return plantSegments(await tagged.toBuffer())
}
