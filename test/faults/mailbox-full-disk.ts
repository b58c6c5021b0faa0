/** Mail that arrives while the disk is full. */
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { CAN_MOUNT, smallDisk } from '../support/small-disk.ts'
import { openSmtp } from '../support/smtp-client.ts'

const LEFT_OUT = (process.env.NONET_TEST_WITHOUT ?? '').split(',').includes('tmpfs')
const MEGABYTE = 1024 * 1024
const BODY = `${'x'.repeat(998)}\r\n`.repeat(300)

test('mail is rejected with 452 while the disk is full, and what was accepted is there', {
  skip: LEFT_OUT && 'left out by NONET_TEST_WITHOUT',
  timeout: 300_000
}, async () => {
  assert.ok(
    CAN_MOUNT,
    'This test mounts a small disk: run it as root on Linux, or leave it out with NONET_TEST_WITHOUT=tmpfs'
  )
  using disk = smallDisk(16)
  const spare = join(disk.path, 'spare')
  writeFileSync(spare, Buffer.alloc(4 * MEGABYTE))
  await using nonet = await start({ services: ['mailbox'], data: join(disk.path, 'data') })
  const { url, ports } = nonet.mailbox
  using client = await openSmtp(ports.smtp?.port ?? 0)
  await client.command('EHLO client.test')

  async function deliver(subject: string): Promise<string> {
    await client.command('MAIL FROM:<a@example.test>')
    await client.command('RCPT TO:<b@example.test>')
    await client.command('DATA')
    return client.command(`Subject: ${subject}\r\n\r\n${subject}\r\n${BODY}.`)
  }

  const accepted: string[] = []
  let reply = await deliver('0')
  while (reply.startsWith('250 ')) {
    accepted.push(String(accepted.length))
    assert.ok(accepted.length < 100, 'the disk was never full')
    reply = await deliver(String(accepted.length))
  }
  assert.match(reply, /^452 /)
  assert.match(await deliver('again'), /^452 /)
  rmSync(spare)
  assert.match(await deliver('after'), /^250 /)
  const response = await fetch(`${url}/v1/sandbox/messages?pageSize=1000`)
  const { messages } = (await response.json()) as { messages: { subject: string }[] }
  assert.deepEqual(messages.map(({ subject }) => subject).toReversed(), [...accepted, 'after'])
})
