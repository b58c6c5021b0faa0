import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { ENGINES } from '../support/engine-names.ts'
import { type CommandPart, type ImapClient, openImap } from '../support/imap-client.ts'
import { openSandbox, type Sandbox, type SandboxLogin } from '../support/mailbox-sandbox.ts'

/** A signed-in client. */
export interface ImapUser extends Disposable {
  client: ImapClient
  /** Untagged responses without the star, then the tagged one without the tag. */
  say: (...parts: readonly CommandPart[]) => Promise<readonly string[]>
  /** Like `say`, asserts OK, and resolves to the untagged responses. */
  ok: (...parts: readonly CommandPart[]) => Promise<readonly string[]>
  /** Resolves to the next untagged responses, as soon as there are so many. */
  told: (count?: number) => Promise<readonly string[]>
}

/** Runs the tests on every engine; `sandbox()` is valid inside a test. */
export function imapSandboxes(
  title: string,
  settings: object,
  play: (sandbox: () => Sandbox) => void
): void {
  for (const engine of ENGINES) {
    describe(`${title}, on ${engine}`, () => {
      let sandbox: Sandbox
      before(async () => {
        sandbox = await openSandbox(settings, engine)
      })
      after(() => sandbox[Symbol.asyncDispose]())
      play(() => sandbox)
    })
  }
}

export async function signIn({ imapPort }: Sandbox, login: SandboxLogin): Promise<ImapUser> {
  const user = userOf(await openImap({ port: imapPort }))
  await user.ok(`LOGIN ${login.user} ${login.password}`)
  return user
}

export function userOf(client: ImapClient): ImapUser {
  async function say(...parts: readonly CommandPart[]): Promise<readonly string[]> {
    const responses = await client.command(...parts)
    return responses.map(({ raw }) => raw.slice(raw.indexOf(' ') + 1))
  }
  return {
    client,
    say,
    async ok(...parts) {
      const lines = await say(...parts)
      assert.match(lines.at(-1) ?? '', /^OK /, `${parts.join('')}: ${lines.join(' | ')}`)
      return lines.slice(0, -1)
    },
    async told(count = 1) {
      const deadline = Date.now() + 60_000
      while (client.waiting().length < count) {
        assert.ok(Date.now() < deadline, `told only ${client.waiting().length} of ${count}`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return client.take().map(({ raw }) => raw.replace(/^\* /, ''))
    },
    [Symbol.dispose]: () => client[Symbol.dispose]()
  }
}

export function message(subject: string, body = 'Hello'): Buffer {
  return Buffer.from(
    `From: Ada <ada@example.test>\r\nTo: grace@example.test\r\nSubject: ${subject}\r\n` +
      `Date: Mon, 15 Jan 2024 23:30:00 -0500\r\nMessage-ID: <${subject}@example.test>\r\n` +
      `\r\n${body}\r\n`
  )
}
