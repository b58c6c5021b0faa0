/** Addresses and names that would add commands, header fields or messages if they were believed. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openText, type TextSocket } from '../support/text-socket.ts'
import { type HostileServer, launchSandbox } from './mailbox-hostile-server.ts'

describe('injection', () => {
  let server: HostileServer
  before(async () => {
    server = await launchSandbox()
  })
  after(() => server.nonet.end())

  async function greet(): Promise<TextSocket> {
    const client = openText(server.smtpPort)
    await client.until(/^220 .*\r\n/)
    client.write('EHLO a\r\n')
    await client.until(/^250 .*\r\n/m)
    return client
  }

  async function countMessages(): Promise<number> {
    const response = await fetch(`${server.url}/v1/sandbox/messages`)
    const { total } = (await response.json()) as { total: number }
    return total
  }

  test('addresses with line ends, controls or commands are rejected', async () => {
    const addresses = [
      'a\rRCPT TO:<b@example.test>@example.test',
      'a\nDATA@example.test',
      'a\0@example.test',
      'a\x7f@example.test',
      'a\x1b[2J@example.test',
      '"a\r\nDATA"@example.test',
      'a@exa mple.test',
      'a@example.test>\tRCPT TO:<b@example.test',
      '@',
      'a@',
      '@example.test',
      `${'a'.repeat(2000)}@example.test`
    ]
    for (const address of addresses) {
      using client = await greet()
      client.write(`MAIL FROM:<${address}>\r\n`)
      await client.until(/^5\d\d .*\r\n/m)
      using other = await greet()
      other.write('MAIL FROM:<a@example.test>\r\n')
      await other.until(/^250 .*\r\n/m)
      other.write(`RCPT TO:<${address}>\r\n`)
      await other.until(/^5\d\d .*\r\n/m)
    }
    assert.equal(await countMessages(), 0)
  })

  test('a point between bare line ends does not end a message', async () => {
    for (const end of ['\n.\n', '\n.\r\n', '\r.\r', '\r\n.\n', '\r\n.\r']) {
      const before = await countMessages()
      using client = await greet()
      client.write('MAIL FROM:<a@example.test>\r\nRCPT TO:<b@example.test>\r\nDATA\r\n')
      await client.until(/^354 .*\r\n/m)
      client.write(
        `Subject: one\r\n\r\nfirst${end}MAIL FROM:<evil@example.test>\r\nRCPT TO:<b@example.test>\r\nDATA\r\nSubject: two\r\n\r\nsmuggled\r\n.\r\nQUIT\r\n`
      )
      await client.untilClosed()
      assert.ok((await countMessages()) - before <= 1, JSON.stringify(end))
      assert.equal(client.text().match(/^354 /gm)?.length, 1)
    }
  })

  test('names of mailboxes and flags cannot add lines', async () => {
    using client = await server.signIn()
    const names = ['a\r\nx NOOP', 'a\0b', 'a\x07b', 'a\nb', '\x7f']
    for (const [index, name] of names.entries()) {
      client.write(`n${index} CREATE {${name.length}+}\r\n${name}\r\n`)
      await client.until(new RegExp(`^n${index} (NO|BAD)`, 'm'))
    }
    const quoted = 'say "hi" \\ {5}'
    client.write(`q CREATE {${quoted.length}+}\r\n${quoted}\r\n`)
    await client.until(/^q (OK|NO)/m)
    client.write('l LIST "" *\r\n')
    await client.until(/^l OK/m)
    assert.doesNotMatch(client.text(), /^x OK/m)
    for (const line of client.text().split('\r\n')) {
      assert.match(line, /^$|^(\* |[a-z]\d* (OK|NO|BAD))/)
    }
    client.write('f APPEND INBOX ("a b" \\Seen) {1+}\r\nx\r\n')
    await client.until(/^f BAD/m)
    client.write('g APPEND INBOX (a\x01b) {1+}\r\nx\r\n')
    await client.until(/^g (BAD|NO)/m)
  })

  test('addresses of new accounts are checked', async () => {
    for (const address of ['a\r\nb@example.test', 'a', 'a b@example.test', '<a@example.test>']) {
      const response = await fetch(`${server.url}/v1/sandbox/accounts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ address })
      })
      assert.equal(response.status, 400, await response.text())
    }
  })
})
