import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { type Answer, send } from '../support/contract.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { type SentMail, sendMail } from '../support/smtp-client.ts'

export const ADMIN_TOKEN = 'the-admin-token-of-this-test'

export interface Asked {
  method?: string
  path: string
  /** Secret of a token. */
  token?: string | undefined
  /** Sent as JSON unless it is a string. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

export interface NewAccount {
  account: string
  token: string
  address: string
  imap: ServerSettings
  smtp: ServerSettings
}

export interface ServerSettings {
  host: string
  port: number
  secure: boolean
  auth: { user: string; pass: string }
  tls: { rejectUnauthorized: boolean }
}

/** A running sandbox. */
export interface Sandbox {
  url: string
  smtpPort: number
  ask: (request: Asked) => Promise<Answer>
  /** Asserts the status and resolves to the parsed body. */
  json: <T = Record<string, unknown>>(request: Asked, status?: number) => Promise<T>
  account: (fields?: object) => Promise<NewAccount>
  /** Asserts that the message is accepted. */
  deliver: (mail: SentMail) => Promise<void>
}

/** Runs the tests on every engine; `sandbox()` is valid inside a test. */
export function sandboxes(
  title: string,
  options: object,
  play: (sandbox: () => Sandbox) => void
): void {
  for (const engine of ENGINES) {
    describe(`${title}, on ${engine}`, () => {
      let nonet: Nonet<'mailbox'>
      before(async () => {
        nonet = await start({
          services: ['mailbox'],
          adminToken: ADMIN_TOKEN,
          ...options,
          ...engineOptions(engine)
        })
      })
      after(() => nonet.stop())
      play(() => sandboxOf(nonet))
    })
  }
}

export function sandboxOf({ mailbox: { url, ports } }: Pick<Nonet<'mailbox'>, 'mailbox'>): Sandbox {
  const smtpPort = ports.smtp?.port ?? 0

  function ask({ method = 'GET', path, token, body, headers = {} }: Asked): Promise<Answer> {
    const isJson = body !== undefined && typeof body !== 'string'
    return send(url, {
      method,
      path,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : String(body) })
    })
  }

  async function json<T>(request: Asked, wanted = 200): Promise<T> {
    const { status, text } = await ask(request)
    assert.equal(status, wanted, `${request.method ?? 'GET'} ${request.path}: ${text}`)
    return JSON.parse(text)
  }

  return {
    url,
    smtpPort,
    ask,
    json,
    account: (body = {}) =>
      json({ method: 'POST', path: '/v1/sandbox/accounts', token: ADMIN_TOKEN, body }),
    async deliver(mail) {
      assert.match(await sendMail(smtpPort, mail), /^250 /)
    }
  }
}

/** A small message. */
export function mail(subject: string, more = ''): string {
  return `From: App <app@example.test>\r\nSubject: ${subject}\r\n${more}\r\nHello\r\n`
}
