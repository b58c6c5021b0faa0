/** Names and examples of a document with half a surrogate pair, which no URL can contain. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { temporaryFolder } from '../support/launcher.ts'

const HALF = '\ud83d'
const responses = { 200: { description: 'ok' } }
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Halves', version: '1' },
  webhooks: { [`hook${HALF}`]: { post: { responses } } },
  paths: {
    '/things': {
      get: {
        parameters: [
          { name: `a${HALF}`, in: 'query', required: true, schema: {}, example: `b${HALF}` }
        ],
        responses
      }
    }
  }
}

test('pages with links to such operations and webhooks are shown', async () => {
  using folder = temporaryFolder()
  const document = join(folder.path, 'document.json')
  writeFileSync(document, JSON.stringify(DOCUMENT))
  await using nonet = await start({
    services: ['mock'],
    console: false,
    mock: { documents: [document] }
  })
  for (const page of ['operations', 'webhooks']) {
    const url = `${nonet.mock.url}/__nonet/${page}`
    const answer = await fetch(url, { headers: { accept: 'text/html' } })
    assert.equal(answer.status, 200, await answer.text())
  }
})
