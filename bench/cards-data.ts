import { crc32, deflateSync } from 'node:zlib'
import { parseReadyLine, startProbed } from './start.ts'

/** Requests at the same time. */
const LANES = 16
const LABELS = ['Web', 'Shop', 'Print', 'Film', 'Sound']

/** What the measurements need of a board. */
export interface FilledBoard {
  id: string
  /** Publishable key. */
  key: string
  /** Token of the member. */
  token: string
  /** Slug of a card in the middle. */
  slug: string
  seconds: number
}

type Json = ReturnType<typeof JSON.parse>

/** Adds boards over HTTP, in a process that ends: cards with a label, two fields and an image. */
export async function fillBoards(
  checkout: string,
  storageFlags: readonly string[],
  counts: readonly number[]
): Promise<FilledBoard[]> {
  const args = ['up', 'cards', '--json', '--quiet', '--port-base=0', ...storageFlags]
  const contender = await startProbed(checkout, args)
  const { console, token: admin, services } = parseReadyLine(contender.greeting)
  const create = (body: object): Promise<Json> =>
    send(`${console}/cards/tokens`, admin ?? '', 'POST', body)
  const member = await create({ flags: { member: 'bench', 'new-member': true } })
  const boards: FilledBoard[] = []
  for (const count of counts) {
    const filled = await fillBoard(`${services.cards}/1`, member.secret, count)
    const key = await create({
      scopes: ['published'],
      flags: { member: 'bench', board: filled.id }
    })
    boards.push({ ...filled, key: key.secret, token: member.secret })
  }
  await contender.stop()
  return boards
}

async function fillBoard(
  url: string,
  token: string,
  count: number
): Promise<Pick<FilledBoard, 'id' | 'slug' | 'seconds'>> {
  const started = performance.now()
  const post = (path: string, body: object | FormData): Promise<Json> =>
    send(url + path, token, 'POST', body)
  const name = `Board of ${count}`
  const board = await post('/boards', { name, defaultLists: false, defaultLabels: false })
  const list = await post('/lists', { name: 'Published', idBoard: board.id })
  const labels = await Promise.all(
    LABELS.map((label) => post('/labels', { name: label, color: 'green', idBoard: board.id }))
  )
  const field = (named: string, type: string) =>
    post('/customFields', { idModel: board.id, modelType: 'board', name: named, type })
  const completed = await field('Completed', 'date')
  const link = await field('URL', 'text')
  const image = plainImage(400, 300)

  async function addCard(n: number): Promise<void> {
    const label = labels[n % labels.length]
    const card = await post('/cards', {
      idList: list.id,
      name: `Project ${n}`,
      desc: describe(n),
      idLabels: label.id
    })
    const item = (id: string, value: object) =>
      send(`${url}/cards/${card.id}/customField/${id}/item`, token, 'PUT', { value })
    await item(completed.id, { date: new Date(Date.UTC(2020, 0, 1 + n)).toISOString() })
    await item(link.id, { text: `https://example.org/${n}` })
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(image)], { type: 'image/png' }), `${n}.png`)
    await post(`/cards/${card.id}/attachments`, form)
  }

  let next = 0
  async function work(): Promise<void> {
    while (next < count) await addCard(next++)
  }
  await Promise.all(Array.from({ length: LANES }, work))
  const slug = `project-${Math.floor(count / 2)}`
  return { id: board.id, slug, seconds: (performance.now() - started) / 1000 }
}

function describe(n: number): string {
  return `The **project** number ${n}, with a [link](https://example.org/${n}).

## What it is

It does many things for many people, and this is a paragraph about it with some more words, as
descriptions of projects have them.

- quick
- small
`
}

async function send(
  url: string,
  token: string,
  method: string,
  body: object | FormData
): Promise<Json> {
  const isForm = body instanceof FormData
  const answer = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(!isForm && { 'content-type': 'application/json' })
    },
    body: isForm ? body : JSON.stringify(body)
  })
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** A PNG image of one grey. */
function plainImage(width: number, height: number): Buffer {
  const chunk = (name: string, content: Uint8Array) => {
    const named = Buffer.concat([Buffer.from(name), content])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(content.length)
    frame.writeUInt32BE(crc32(named), 4)
    return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height, 128))),
    chunk('IEND', Buffer.alloc(0))
  ])
}
