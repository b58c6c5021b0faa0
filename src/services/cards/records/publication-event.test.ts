import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventCard, publicationBody } from './publication-event.ts'

const board = { id: 'b', slug: 'work', name: 'Work', revision: 3 }
const time = '2030-01-02T03:04:05.678Z'
const view = { board, events: [], baseUrl: 'https://cards.example', time }
const NONE = { published: [], unpublished: [], updated: [] }
const card = (id: string): EventCard => ({ id, slug: `slug-${id}`, title: `Title ${id}` })
const shown = (id: string) => ({
  ...card(id),
  url: `https://cards.example/content/work/cards/slug-${id}`
})

test('the type is the first event with cards, and hidden cards have no URL', () => {
  const changes = { ...NONE, unpublished: [card('1')], updated: [card('2')] }
  assert.deepEqual(JSON.parse(publicationBody(changes, view) ?? ''), {
    type: 'unpublish',
    timestamp: time,
    data: {
      board,
      published: [],
      unpublished: [card('1')],
      updated: [shown('2')],
      counts: { published: 0, unpublished: 1, updated: 1 }
    }
  })
})

test('a receiver is told only the events it wants', () => {
  const changes = { ...NONE, published: [card('1')], updated: [card('2')] }
  const told = JSON.parse(publicationBody(changes, { ...view, events: ['update'] }) ?? '')
  assert.deepEqual([told.type, told.data.published], ['update', []])
  assert.deepEqual(told.data.counts, { published: 0, unpublished: 0, updated: 1 })
  assert.equal(publicationBody(changes, { ...view, events: ['unpublish'] }), undefined)
  assert.equal(publicationBody(NONE, view), undefined)
})

test('a body has at most 64 KiB', () => {
  const long = { slug: 's'.repeat(100), title: '\u0001'.repeat(16_384) }
  const many = Array.from({ length: 5_000 }, (_, index) => ({ id: String(index), ...long }))
  const changes = { published: many, unpublished: many, updated: many }
  const body = publicationBody(changes, { ...view, baseUrl: `https://${'h'.repeat(250)}` }) ?? ''
  assert.ok(Buffer.byteLength(body) <= 64 * 1024, String(Buffer.byteLength(body)))
  assert.equal(JSON.parse(body).data.counts.published, 5_000)
  assert.equal(JSON.parse(body).data.published[0].title, `${'\u0001'.repeat(99)}…`)
})
