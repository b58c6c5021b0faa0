/** The client of EmailEngine's authors, @postalsys/ee-client 1.3.0, unmodified: in Node and as a page. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import { ADMIN_TOKEN, type NewAccount, type Sandbox, sandboxOf } from '../contract/mailbox-site.ts'
import { ATTACHED, letter } from '../contract/mailbox-table-row.ts'
import { openBrowser } from '../support/browser.ts'
import { until } from '../support/delivery-receiver.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { openEventReceiver } from '../support/event-receiver.ts'
import { untilInitialized } from '../support/watching-daemon.ts'

const FILE = createRequire(import.meta.url).resolve('@postalsys/ee-client')
const STEP_TIMEOUT_MS = 60_000

interface Message {
  id: string
  subject: string
  unseen?: boolean
  text?: { plain?: string; html?: string }
}

/** As far as the tests use it. */
interface Client {
  loadFolders: () => Promise<{ path: string; name: string; specialUse?: string }[]>
  loadMessages: (
    path: string,
    cursor?: string | null
  ) => Promise<{
    messages: Message[]
    nextPageCursor: string | null
    prevPageCursor: string | null
  }>
  loadMessage: (id: string) => Promise<Message>
  markAsRead: (id: string, seen?: boolean) => Promise<boolean>
  deleteMessage: (id: string) => Promise<boolean>
  moveMessage: (id: string, path: string) => Promise<boolean>
  sendMessage: (
    to: string | object | readonly (string | object)[],
    subject: string,
    text: string
  ) => Promise<{ response: string; queueId: string }>
}

const { EmailEngineClient }: { EmailEngineClient: new (options: object) => Client } = await import(
  FILE
)

const PLAIN = [
  'From: Mallory <mallory@example.test>',
  'Subject: plain',
  '',
  'Look: <img src=x onerror="document.title=\'run\'"> https://example.org/',
  ''
].join('\r\n')

const HOSTILE = [
  'From: Mallory <mallory@example.test>',
  'Subject: hostile',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p onclick="document.title=\'run\'">Read me</p><script>document.title = "run"</script>',
  '<img src=x onerror="document.title=\'run\'"><svg onload="document.title=\'run\'"></svg>',
  '<a href="javascript:document.title=1">link</a><iframe srcdoc="<script>1</script>"></iframe>',
  ''
].join('\r\n')

for (const engine of ENGINES) {
  describe(`@postalsys/ee-client, on ${engine}`, () => {
    let nonet: Nonet<'mailbox'>
    let sandbox: Sandbox
    before(async () => {
      const options = { services: ['mailbox'] as const, adminToken: ADMIN_TOKEN }
      nonet = await start({ ...options, ...engineOptions(engine) })
      sandbox = sandboxOf(nonet)
    })
    after(() => nonet.stop())

    const clientOf = ({ account, token }: Pick<NewAccount, 'account' | 'token'>, more = {}) =>
      new EmailEngineClient({ apiUrl: sandbox.url, account, accessToken: token, ...more })

    test('folders, pages of messages, a message, flags, moves and deletions', async () => {
      const account = await sandbox.account()
      for (const subject of ['one', 'two', 'three']) {
        await sandbox.deliver({ to: [account.address], source: letter(subject) })
      }
      const client = clientOf(account, { pageSize: 2 })
      const folders = await client.loadFolders()
      assert.deepEqual(folders.map(({ specialUse }) => specialUse).toSorted(), [
        '\\Archive',
        '\\Drafts',
        '\\Inbox',
        '\\Junk',
        '\\Sent',
        '\\Trash'
      ])
      const first = await client.loadMessages('INBOX')
      assert.deepEqual(subjects(first.messages), ['three', 'two'])
      const second = await client.loadMessages('INBOX', first.nextPageCursor)
      assert.deepEqual(subjects(second.messages), ['one'])
      assert.equal(second.nextPageCursor, null)
      const back = await client.loadMessages('INBOX', second.prevPageCursor)
      assert.deepEqual(subjects(back.messages), ['three', 'two'])

      const [{ id: three } = { id: '' }, { id: two } = { id: '' }] = back.messages
      const shown = await client.loadMessage(three)
      assert.match(shown.text?.html ?? '', /<p>The <b>numbers<\/b><\/p>/)
      assert.deepEqual(await unseen(client), ['two'])
      assert.equal(await client.markAsRead(two), true)
      assert.equal(await client.markAsRead(three, false), true)
      assert.deepEqual(await unseen(client), ['three'])
      assert.equal(await client.moveMessage(two, 'Archive'), true)
      assert.equal(await client.deleteMessage(three), true)
      assert.deepEqual(subjects((await client.loadMessages('Archive')).messages), ['two'])
      assert.deepEqual(subjects((await client.loadMessages('Trash')).messages), ['three'])
    })

    test('a message is sent, and a wrong one is explained', async () => {
      const account = await sandbox.account()
      const other = await sandbox.account()
      const client = clientOf(account)
      const sent = await client.sendMessage(
        [other.address, { address: 'x@example.test' }],
        'Hi',
        'Hello'
      )
      assert.equal(sent.response, 'Queued for delivery')
      const path = `/v1/sandbox/wait?account=${other.account}&subject=Hi&timeout=60`
      const message = await sandbox.json({ path, token: other.token })
      assert.partialDeepStrictEqual(message, { from: { address: account.address } })
      await assert.rejects(
        quiet(() => client.sendMessage('', 'Hi', 'Hello')),
        (error: { statusCode: number; details: { fields: { key: string }[] } }) => {
          assert.equal(error.statusCode, 400)
          assert.match(error.details.fields[0]?.key ?? '', /^to\.0\.address/)
          return true
        }
      )
    })

    test('what the client changes is reported by webhooks, a move with both ids', async () => {
      await using receiver = await openEventReceiver()
      const account = await sandbox.account()
      await sandbox.json({
        ...{ method: 'PUT', path: `/v1/account/${account.account}`, token: ADMIN_TOKEN },
        body: { webhooks: receiver.url }
      })
      await untilInitialized(receiver, [account.account])
      const client = clientOf(account)
      const next = async (names: readonly string[]) => {
        const about = receiver.first().filter(({ body }) => /^message/.test(body.event))
        const isThere = () =>
          names.every((name) => receiver.named(name).some((event) => !about.includes(event)))
        await until(isThere, names.join())
        return names.map((name) => receiver.named(name).at(-1)?.body ?? assert.fail(name))
      }
      const arrived = next(['messageNew'])
      await sandbox.deliver({ to: [account.address], source: letter('told') })
      const message = (await arrived)[0]?.data ?? assert.fail()
      const { messages } = await client.loadMessages('INBOX')
      assert.equal(message.id, messages[0]?.id)

      const updated = next(['messageUpdated'])
      await client.markAsRead(String(message.id))
      const [flagged] = await updated
      assert.partialDeepStrictEqual(flagged?.data, {
        id: message.id,
        changes: { flags: { added: ['\\Seen'], value: ['\\Seen'] } }
      })

      const moved = next(['messageDeleted', 'messageNew'])
      await client.moveMessage(String(message.id), 'Archive')
      const [deleted, added] = await moved
      const [filed] = (await client.loadMessages('Archive')).messages
      assert.deepEqual([deleted?.path, added?.path], ['INBOX', 'Archive'])
      assert.partialDeepStrictEqual(deleted?.data, { id: message.id, movedTo: filed?.id })
      assert.partialDeepStrictEqual(added?.data, { id: filed?.id, movedFrom: message.id })

      const sent = next(['messageSent'])
      const { queueId } = await client.sendMessage('x@example.test', 'Hi', 'Hello')
      assert.partialDeepStrictEqual((await sent)[0]?.data, { queueId })
    })

    test('the token of an account opens no other, which looks like an unknown one', async () => {
      const [account, other] = [await sandbox.account(), await sandbox.account()]
      for (const id of [other.account, 'unknown']) {
        const client = clientOf({ account: id, token: account.token })
        await assert.rejects(
          quiet(() => client.loadFolders()),
          (error: { statusCode: number; details: { message: string } }) => {
            assert.equal(error.statusCode, 404)
            assert.equal(error.details.message, 'Account record was not found for requested ID')
            return true
          }
        )
      }
    })
  })
}

describe('the page of @postalsys/ee-client', () => {
  let nonet: Nonet<'mailbox'>
  let sandbox: Sandbox
  let account: NewAccount
  let browser: Browser
  let page: Page
  before(async () => {
    nonet = await start({ services: ['mailbox'], adminToken: ADMIN_TOKEN })
    sandbox = sandboxOf(nonet)
    account = await sandbox.account()
    for (const source of [letter('numbers'), PLAIN, HOSTILE]) {
      await sandbox.deliver({ to: [account.address], source })
    }
    browser = await openBrowser()
    page = await openPage(browser, sandbox.url, account)
  })
  after(async () => {
    await browser.close()
    await nonet.stop()
  })

  const items = () => page.locator('.ee-message-item')

  test('shows the inbox, and a message with its attachment', async () => {
    await page.locator('.ee-folder-item', { hasText: 'INBOX' }).click()
    await items().first().waitFor()
    assert.equal(await items().count(), 3)
    await items().filter({ hasText: 'numbers' }).click()
    await page.locator('.ee-message-body b', { hasText: 'numbers' }).waitFor()
    const download = page.waitForEvent('download')
    await page.locator('.ee-attachment-item').click()
    assert.equal((await download).suggestedFilename(), 'numbers.csv')
    assert.deepEqual(await buffer(await (await download).createReadStream()), ATTACHED)
  })

  for (const [subject, text] of [
    ['plain', '<img src=x'],
    ['hostile', 'Read me']
  ] as const) {
    test(`nothing of the message "${subject}" runs`, async () => {
      await items().filter({ hasText: subject }).click()
      await page.locator('.ee-message-body', { hasText: text }).waitFor()
      // A script of the message would run in this time; its absence has no event to wait for.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
      assert.equal(await page.title(), 'mail')
      assert.equal(
        await page.locator('.ee-message-body [onclick], .ee-message-body script').count(),
        0
      )
    })
  }

  test('sends, moves and deletes', async () => {
    await page.locator('.ee-compose-button').click()
    // 100 ms after the click the client focuses this field; what is typed then goes into it.
    await page.locator('input[name=to]:focus').waitFor()
    await page.locator('input[name=to]').fill(account.address)
    await page.locator('input[name=subject]').fill('To myself')
    await page.locator('textarea[name=message]').fill('Hello')
    const told = page.waitForEvent('dialog')
    await page.locator('.ee-compose-send').click()
    const dialog = await told
    assert.equal(dialog.message(), 'Email sent successfully!')
    await sandbox.json({
      path: `/v1/sandbox/wait?account=${account.account}&subject=To%20myself&timeout=60`,
      token: account.token
    })
    await page.locator('.ee-folder-item', { hasText: 'INBOX' }).click()
    await items().filter({ hasText: 'To myself' }).click()
    await page.locator('.ee-message-body', { hasText: 'Hello' }).waitFor()
    await page.locator('[data-action=move]').selectOption('Archive')
    await items().filter({ hasText: 'To myself' }).waitFor({ state: 'detached' })
    await page.locator('.ee-folder-item', { hasText: 'Archive' }).click()
    await items().filter({ hasText: 'To myself' }).click()
    await page.locator('[data-action=delete]').click()
    await items().filter({ hasText: 'To myself' }).waitFor({ state: 'detached' })
  })
})

/** The page of an application on the host of the API, as behind a reverse proxy. */
async function openPage(browser: Browser, url: string, account: NewAccount): Promise<Page> {
  const page = await browser.newPage()
  page.setDefaultTimeout(STEP_TIMEOUT_MS)
  page.on('dialog', (dialog) => dialog.accept())
  const options = JSON.stringify({
    apiUrl: url,
    account: account.account,
    accessToken: account.token
  })
  const document = `<!doctype html><title>mail</title><div id=mail></div><script type=module>
import { EmailEngineClient } from '/app/client.js'
const container = document.getElementById('mail')
new EmailEngineClient({ ...${options}, container })
</script>`
  await page.route(`${url}/app/`, (route) =>
    route.fulfill({ contentType: 'text/html', body: document })
  )
  await page.route(`${url}/app/client.js`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: readFileSync(FILE, 'utf8') })
  )
  await page.goto(`${url}/app/`)
  return page
}

function subjects(messages: readonly Message[]): string[] {
  return messages.map(({ subject }) => subject)
}

async function unseen(client: Client): Promise<string[]> {
  const { messages } = await client.loadMessages('INBOX')
  return subjects(messages.filter((message) => message.unseen))
}

/** The client prints each error. */
async function quiet<T>(act: () => Promise<T>): Promise<T> {
  const { error } = console
  console.error = () => {}
  try {
    return await act()
  } finally {
    console.error = error
  }
}
