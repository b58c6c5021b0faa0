import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { type Answer, send } from '../support/contract.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'

type Headed = Readonly<Record<string, string>>

/** A few words for talking to a running service, for promises that take more than one request. */
export interface Talk {
  url: string
  ask: (request: string, body?: unknown, headers?: Headed) => Promise<Answer>
  /** The same for what must succeed, read as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer.
  get: (request: string, body?: unknown, headers?: Headed) => Promise<any>
}

/** Plays the scenes on every engine; `talk()` is valid inside a test. */
export function scenes(
  title: string,
  options: object,
  play: (talk: () => Talk, nonet: () => Nonet<'scenarios'>) => void
): void {
  for (const engine of ENGINES) {
    describe(`${title}, on ${engine}`, () => {
      let nonet: Nonet<'scenarios'>
      before(async () => {
        nonet = await start({ services: ['scenarios'], ...options, ...engineOptions(engine) })
      })
      after(() => nonet.stop())
      play(
        () => talkTo(nonet.scenarios.url),
        () => nonet
      )
    })
  }
}

export function talkTo(url: string): Talk {
  async function ask(request: string, body?: unknown, headers: Headed = {}): Promise<Answer> {
    const [method = '', path = ''] = request.split(' ')
    if (body === undefined) return send(url, { method, path, headers })
    const isText = typeof body === 'string'
    return send(url, {
      method,
      path,
      headers: { ...(isText ? {} : { 'content-type': 'application/json' }), ...headers },
      body: isText ? body : JSON.stringify(body)
    })
  }
  return {
    url,
    ask,
    async get(request, body, headers) {
      const { status, text } = await ask(request, body, headers)
      assert.ok(status < 300, `${request}: ${status} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    }
  }
}

/** What a client gets to see of an answer. */
export function seen({ status, text }: Answer): [number, unknown] {
  return [status, text === '' ? '' : JSON.parse(text)]
}

export const EVE = { email: 'eve.holt@reqres.in', password: 'cityslicka' }

export function bearer(token: string): Headed {
  return { authorization: `Bearer ${token}` }
}
