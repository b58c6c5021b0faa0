/** The receivers that docs/how-to/receive-a-webhook.md shows, run as they are. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { ADMIN_TOKEN, mail, type Sandbox, sandboxOf } from '../contract/mailbox-site.ts'
import { until } from '../support/delivery-receiver.ts'
import { type EventDelivery, openEventReceiver } from '../support/event-receiver.ts'
import { ROOT, temporaryFolder } from '../support/launcher.ts'
import { freePort } from '../support/ports.ts'
import { untilInitialized } from '../support/watching-daemon.ts'

const SECRET = 'a-long-random-text'
const PAGE = readFileSync(join(ROOT, 'docs/how-to/receive-a-webhook.md'), 'utf8')

const PROGRAMS = [
  { name: 'receiver.mjs', program: process.execPath },
  { name: 'receiver.py', program: 'python3' }
]

/** The file that the page shows under this name. */
function sampleOf(name: string): string {
  const samples = [...PAGE.matchAll(/^```\w+\n(?:\/\/|#) (\S+)\n([\s\S]*?)^```$/gm)]
  const found = samples.find(([, shown]) => shown === name)
  return found?.[2] ?? assert.fail(`the page shows ${name}`)
}

describe('the samples of receive-a-webhook.md', () => {
  let nonet: Nonet<'mailbox'>
  let site: Sandbox
  let folder: ReturnType<typeof temporaryFolder>
  /** A genuine delivery as it arrived. */
  let delivery: EventDelivery
  before(async () => {
    folder = temporaryFolder()
    nonet = await start({ services: ['mailbox'], adminToken: ADMIN_TOKEN })
    site = sandboxOf(nonet)
    await using receiver = await openEventReceiver()
    await setReceiver(receiver.url)
    const { account, address } = await site.account({ account: 'ada' })
    await untilInitialized(receiver, [account])
    await site.deliver({ to: [address], source: mail('=?utf-8?q?W=C3=ABlcome?=') })
    await until(() => receiver.named('messageNew').length > 0, 'a webhook about the message')
    delivery = receiver.named('messageNew')[0] ?? assert.fail()
  })
  after(async () => {
    await nonet.stop()
    folder[Symbol.dispose]()
  })

  async function setReceiver(webhooks: string): Promise<void> {
    const body = { serviceSecret: SECRET, webhooksEnabled: true, webhooks }
    await site.json({ method: 'POST', path: '/v1/settings', token: ADMIN_TOKEN, body })
  }

  async function startSample(name: string, program: string) {
    const file = join(folder.path, name)
    writeFileSync(file, sampleOf(name))
    const port = await freePort()
    const env = { ...process.env, SERVICE_SECRET: SECRET, PORT: String(port) }
    const child: ChildProcess = spawn(program, [file], {
      env,
      stdio: ['ignore', 'pipe', 'inherit']
    })
    let printed = ''
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      printed += text
    })
    const url = `http://127.0.0.1:${port}/`
    const accepts = () =>
      fetch(url, { method: 'POST', body: '{}' }).then(
        () => true,
        () => false
      )
    await until(accepts, `${name} to accept connections`)
    return {
      url,
      printed: () => printed,
      async [Symbol.asyncDispose]() {
        const gone = once(child, 'exit')
        child.kill()
        await gone
      }
    }
  }

  /** The delivery again, changed; resolves to the status. */
  async function send(url: string, text: string, changed: Record<string, string | undefined> = {}) {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
    const headers = new Headers({ 'content-type': 'application/json' })
    for (const name of names) {
      const value = name in changed ? changed[name] : String(delivery.headers[name])
      if (value !== undefined) headers.set(name, value)
    }
    const response = await fetch(url, { method: 'POST', headers, body: text })
    return response.status
  }

  for (const { name, program } of PROGRAMS) {
    test(`${name} accepts what nonet sends, once, and rejects everything else`, async () => {
      await using sample = await startSample(name, program)
      const { url } = sample
      const { text } = delivery
      const line = 'messageNew ada Wëlcome\n'
      assert.deepEqual([await send(url, text), await send(url, text)], [204, 204])
      await until(() => sample.printed() === line, 'one line about the message')
      const old = String(Math.floor(Date.now() / 1000) - 3600)
      const signed = `${delivery.id}.${old}.${text}`
      const oldSignature = createHmac('sha256', SECRET).update(signed).digest('base64')
      const forged: Parameters<typeof send>[] = [
        [url, text.replace('Wëlcome', 'Changed')],
        [url, text, { 'webhook-signature': undefined }],
        [url, text, { 'webhook-signature': 'v1,' }],
        [url, text, { 'webhook-timestamp': undefined }],
        [url, text, { 'webhook-timestamp': 'soon' }],
        [url, text, { 'webhook-timestamp': old }],
        [url, text, { 'webhook-timestamp': old, 'webhook-signature': `v1,${oldSignature}` }],
        [url, text, { 'webhook-id': 'another' }],
        [url, '']
      ]
      for (const request of forged) assert.equal(await send(...request), 401)

      await setReceiver(url)
      await site.deliver({ to: ['ada@sandbox.test'], source: mail('Again') })
      await until(() => sample.printed() === `${line}messageNew ada Again\n`, 'the next message')
    })
  }

  test('the command of the page computes X-EE-Wh-Signature from the bytes of the body', () => {
    const [, command = ''] = /^\$ (openssl .*)$/m.exec(PAGE) ?? []
    writeFileSync(join(folder.path, 'body.json'), delivery.text)
    const printed = execFileSync('sh', ['-c', command], { cwd: folder.path, encoding: 'utf8' })
    assert.equal(printed.trim(), delivery.headers['x-ee-wh-signature'])
  })
})
