import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from './scratch-folder.ts'

const NO_CONTENT = { 204: { description: '' } }
const ANY_RESPONSE = { default: { description: '' } }

/** An API that calls other servers: `?hook=<URL>` of `/subscribe` by a callback, and webhooks. */
export const CALLS_DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Calls', version: '1' },
  paths: {
    '/subscribe': {
      post: {
        parameters: [{ name: 'hook', in: 'query', schema: { type: 'string' } }],
        // A type that a page may send to another site without a preflight request.
        requestBody: { content: { 'text/plain': { schema: { type: 'string' } } } },
        responses: NO_CONTENT,
        callbacks: { told: { '{$request.query.hook}': { post: { responses: NO_CONTENT } } } }
      }
    }
  },
  webhooks: {
    told: { post: { responses: ANY_RESPONSE } },
    asked: { get: { responses: ANY_RESPONSE } },
    removed: { delete: { responses: ANY_RESPONSE } }
  }
}

/** Returns the path of a file with the document. */
export function writeCallsDocument(): string {
  const file = join(scratchFolder(), 'calls.json')
  writeFileSync(file, JSON.stringify(CALLS_DOCUMENT))
  return file
}
