import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { type Answer, send } from '../support/contract.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'

export interface Stored {
  _id: string
  _createdOn: string
  [field: string]: unknown
}

/** A few words for talking to a running service, for promises that take more than one request. */
export interface Boxes {
  url: string
  ask: (request: string, body?: string | Uint8Array<ArrayBuffer>, more?: Headed) => Promise<Answer>
  /** The same for what must succeed, read as JSON. */
  get: <T = Stored[]>(path: string) => Promise<T>
  store: <T = Stored>(box: string, body: string, more?: Headed) => Promise<T>
}

type Headed = Readonly<Record<string, string>>

export const KEY = '4fbf7c06-5a3f-4d29-9d8a-1f1f0b8a4e11'
export const OTHER_KEY = '9f6f3f8e-22b0-4f60-8f61-6c1c2b7b2a90'

/** Plays the scenes on every engine; `boxes()` is valid inside a test. */
export function scenes(title: string, options: object, play: (boxes: () => Boxes) => void): void {
  for (const engine of ENGINES) {
    describe(`${title}, on ${engine}`, () => {
      let nonet: Nonet<'boxes'>
      before(async () => {
        nonet = await start({ services: ['boxes'], boxes: options, ...engineOptions(engine) })
      })
      after(() => nonet.stop())
      play(() => talkTo(nonet.boxes.url))
    })
  }
}

export function talkTo(url: string): Boxes {
  async function ask(request: string, body?: string | Uint8Array<ArrayBuffer>, headers = {}) {
    const [method = '', path = ''] = request.split(' ')
    return send(url, { method, path, headers, ...(body === undefined ? {} : { body }) })
  }
  async function succeed(request: string, body?: string, headers: Headed = {}) {
    const { status, text } = await ask(request, body, headers)
    assert.equal(status, 200, `${request}: ${text}`)
    return JSON.parse(text)
  }
  return {
    url,
    ask,
    get: (path) => succeed(`GET ${path}`),
    store: (box, body, headers) => succeed(`POST ${box}`, body, headers)
  }
}

/** What a client gets to see of a failure. */
export function failure({ status, text }: Answer): { status: number; message: string } {
  return { status, message: JSON.parse(text).message }
}
