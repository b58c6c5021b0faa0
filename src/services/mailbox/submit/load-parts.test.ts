import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageLeaf } from '../messages/structure.ts'
import { loadParts, sizeOf } from './load-parts.ts'
import { MAX_MESSAGE_BYTES } from './prepare-message.ts'

const LEAF: MessageLeaf = {
  number: '2',
  type: 'application/pdf',
  parameters: {},
  encoding: '',
  size: 10,
  disposition: 'attachment',
  filename: 'a.pdf',
  contentId: undefined,
  isRelated: false,
  isInMessage: false
}

test('parts are loaded as long as a message can have them, with what it has already', async () => {
  const found = { uid: 7, seq: 1, bodyParts: new Map([['2', Buffer.alloc(10)]]) }
  const client = { fetchAll: async () => [found] }
  const load = (used: number) => loadParts({ client }, 7, [LEAF, LEAF], used)
  assert.equal(sizeOf(await load(MAX_MESSAGE_BYTES - 20)), 20)
  await assert.rejects(load(MAX_MESSAGE_BYTES - 19), { statusCode: 400 })
})
