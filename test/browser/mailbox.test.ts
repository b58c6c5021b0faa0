/** The pages of mailbox, with and without JavaScript, and with hostile messages. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import { FRAME_HEADERS } from '../../src/services/mailbox/pages/frame-document.ts'
import {
  assertKeyboardWalk,
  assertSoundInBothColours,
  confirm,
  openBrowser,
  SHAPES,
  visit
} from '../support/browser.ts'
import { sendMail } from '../support/send-mail.ts'

const SCRIPT = '<script>document.title = "run"</script> "Mallory" & Sons'
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

/** Everything that would run, load, send or leave the frame. */
const HOSTILE = `<!doctype html><html><head>
<base href="https://evil.example/"><meta http-equiv="refresh" content="0; url=https://evil.example/refresh">
<link rel="stylesheet" href="https://evil.example/a.css"><link rel="dns-prefetch" href="//evil.example">
<style>@import url(https://evil.example/b.css); @font-face { font-family: x; src: url(https://evil.example/f) }
body { background: url('https://evil.example/c.png') } p { background: u\\72l(https://evil.example/d.png) }</style>
<script src="https://evil.example/x.js"></script><script>top.document.title = 'run'</script></head>
<body onload="top.document.title = 'run'" background="https://evil.example/e.png">
<p>Read me</p><img src="https://evil.example/1.png" onerror="top.document.title = 'run'" alt="A picture">
<img src=x onerror=alert(1)><img src="cid:dot" alt="Dot" width="9" height="9">
<svg onload="alert(1)"><image href="https://evil.example/2.png"/><script>alert(1)</script></svg>
<iframe src="https://evil.example/frame"></iframe><object data="https://evil.example/o"></object>
<video src="https://evil.example/v" poster="https://evil.example/3.png" autoplay></video>
<form action="https://evil.example/form"><input name="a" autofocus><button>Press</button></form>
<a href="javascript:top.document.title='run'">bad link</a> <a href="https://example.org/" target="_top">good link</a>
<p style="position:fixed;background:url(https://evil.example/4.png)">fixed</p></body></html>`

describe('the pages of mailbox', () => {
  let browser: Browser
  let nonet: Nonet<'mailbox'>
  before(async () => {
    nonet = await start({ services: ['mailbox'] })
    browser = await openBrowser()
  })
  beforeEach(() => nonet.reset('mailbox'))
  after(async () => {
    await browser.close()
    await nonet.stop()
  })

  const open = (look = {}, javaScriptEnabled = true) =>
    visit(browser, `${nonet.mailbox.url}/`, look, javaScriptEnabled)
  const mails = (page: Page) => page.locator('.mails a.mail')

  test('a message that is sent appears on the open page, and is read, searched and deleted', async () => {
    const { page, complaints } = await open()
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByText('No mail yet').waitFor()
    await sendMail(nonet, {
      subject: SCRIPT,
      text: 'Plain words.',
      html: '<p>Words with <b>weight</b>.</p>',
      attachments: [{ filename: 'räksmörgås "1".txt', content: 'sandwich' }]
    })
    await mails(page).filter({ hasText: SCRIPT }).waitFor()
    await sendMail(nonet, { to: 'Grace <grace@example.org>', subject: 'Second', text: 'two' })
    await mails(page).filter({ hasText: 'Second' }).waitFor()
    assert.match(await mails(page).first().innerText(), /grace@example\.org/)

    await mails(page).filter({ hasText: SCRIPT }).click()
    await page.waitForURL('**/sandbox/messages/*')
    assert.equal(await page.locator('#subject').innerText(), SCRIPT)
    await page.frameLocator('iframe').getByText('Words with weight.').waitFor()
    await page.getByRole('link', { name: 'Text', exact: true }).click()
    await page.getByText('Plain words.', { exact: true }).last().waitFor()
    await page.getByRole('link', { name: 'Headers' }).click()
    await page.getByRole('term').filter({ hasText: 'Message-ID' }).waitFor()
    await page.getByRole('link', { name: 'Source' }).click()
    await page.locator('.message-text').getByText('MIME-Version: 1.0').waitFor()
    await page.getByRole('link', { name: 'Attachments 1' }).click()
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: /^räksmörgås/ }).click()
    const download = await downloading
    assert.equal(await text(await download.createReadStream()), 'sandwich')

    await sendMail(nonet, { subject: 'Third', text: 'while another one is read' })
    await mails(page).filter({ hasText: 'Third' }).waitFor()
    assert.equal(await page.locator('.mail[aria-current]').count(), 1)
    await confirm(page.locator('.message'), 'Delete', 'Delete it')
    await page.waitForURL(`${nonet.mailbox.url}/`)
    assert.equal(await mails(page).count(), 2)

    await page.getByLabel('Search mail').fill('grace')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.waitForURL('**/?*q=grace*')
    assert.equal(await mails(page).count(), 1)
    await confirm(page, 'Delete all', 'Delete 1 message')
    await page.waitForURL(`${nonet.mailbox.url}/`)
    await mails(page).filter({ hasText: 'Third' }).waitFor()
    assert.equal(await mails(page).count(), 1)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  for (const javaScriptEnabled of [true, false]) {
    test(`a hostile message runs and loads nothing, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
      await sendMail(nonet, {
        subject: 'Hostile',
        html: HOSTILE,
        attachments: [{ filename: 'dot.gif', cid: 'dot', content: PIXEL }]
      })
      const { page, complaints } = await open({}, javaScriptEnabled)
      page.on('dialog', () => complaints.push('a dialog'))
      await mails(page).click()
      await page.waitForURL('**/sandbox/messages/*')
      const shown = page.frameLocator('iframe')
      await shown.getByText('Read me').waitFor()
      await page.getByText('4 remote images blocked').waitFor()
      assert.equal(await page.title(), 'Hostile · nonet')
      const width = (image: SVGElement | HTMLElement) => Reflect.get(image, 'naturalWidth')
      assert.equal(await shown.getByAltText('Dot').evaluate(width), 1)
      assert.equal(await shown.getByAltText('A picture').getAttribute('src'), null)
      assert.equal(
        await shown.locator('script, form, input, iframe, base, meta[http-equiv]').count(),
        0
      )
      assert.equal(await shown.getByText('bad link').getAttribute('href'), null)
      const link = shown.getByText('good link')
      assert.equal(await link.getAttribute('target'), '_blank')
      assert.equal(await link.getAttribute('rel'), 'noopener noreferrer')
      assert.equal(page.frames().length, 2)
      await page.waitForLoadState('networkidle')
      assert.deepEqual(complaints, [])

      // The document protects itself if it is opened without the frame.
      const alone = await page.goto(`${page.url().split('?')[0]}/html`)
      assert.match(alone?.headers()['content-security-policy'] ?? '', /^sandbox allow-popups/)
      await page.getByText('Read me').waitFor()
      assert.deepEqual(complaints, [])
      await page.context().close()
    })
  }

  test('the headers of the frame alone keep a hostile document from running and loading', async () => {
    const received: string[] = []
    const server = createServer(({ url = '' }, response) => {
      const isDocument = url === '/with' || url === '/without'
      if (!isDocument) received.push(url)
      const body = HOSTILE.replaceAll('https://evil.example', `http://elsewhere.example:${port}`)
      response.writeHead(200, url === '/with' ? FRAME_HEADERS : { 'content-type': 'text/html' })
      response.end(isDocument ? body : '')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const context = await browser.newContext()
    context.setDefaultTimeout(120_000)
    const page = await context.newPage()
    page.on('dialog', (dialog) => {
      received.push('a dialog')
      dialog.dismiss()
    })
    await page.goto(`http://127.0.0.1:${port}/with`)
    await page.getByText('bad link').click()
    await page.getByText('Press').click()
    await page.waitForLoadState('networkidle')
    assert.equal(await page.title(), '')
    assert.equal(received.join(), '')
    await page.goto(`http://127.0.0.1:${port}/without`).catch(() => assert.ok(received.length > 0))
    for (const path of ['/a.css', '/x.js', '/1.png']) assert.ok(received.includes(path), path)
    await page.context().close()
    server.closeAllConnections()
    server.close()
  })

  test('a new account gets a password and a token, and mail of its own', async () => {
    const { page, complaints } = await open()
    await page.getByLabel('Address (optional)').fill('Ada@Sandbox.test')
    await page.getByRole('button', { name: 'New account' }).click()
    await page.getByText('The account is ready.').waitFor()
    const values = await page.locator('.address code').allInnerTexts()
    const [user = '', pass = ''] = values
    assert.equal(user, 'ada@sandbox.test')
    const token = values.find((value) => /^[0-9a-f]{64}$/.test(value)) ?? assert.fail('no token')
    await sendMail(nonet, { to: user, subject: 'For Ada' }, { user, pass })
    await sendMail(nonet, { subject: 'For others' })
    const messages = await fetch(`${nonet.mailbox.url}/v1/sandbox/messages`, {
      headers: { authorization: `Bearer ${token}` }
    })
    assert.deepEqual(
      (await messages.json()).messages.map(({ subject }: { subject: string }) => subject),
      ['For Ada']
    )
    await page.getByRole('link', { name: 'Show its mail' }).click()
    await page.waitForURL(/[?&]account=/)
    await mails(page).filter({ hasText: 'For Ada' }).waitFor()
    assert.equal(await mails(page).count(), 1)
    await page.getByLabel('Account', { exact: true }).selectOption('All accounts')
    await mails(page).filter({ hasText: 'For others' }).waitFor()
    await page.getByRole('link', { name: 'ada@sandbox.test' }).last().click()
    await page.getByRole('row', { name: /^INBOX 1 1/ }).waitFor()
    assert.equal(await page.getByText(token).count(), 0)
    await confirm(page, 'Delete the account', 'Delete it')
    await page.waitForURL(`${nonet.mailbox.url}/`)
    assert.equal(await mails(page).filter({ hasText: 'For Ada' }).count(), 0)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('works without JavaScript', async () => {
    for (const subject of Array.from({ length: 27 }, (_, index) => `Message ${index + 1}`)) {
      await sendMail(nonet, { subject, text: 'Plain words.' })
    }
    const { page, complaints } = await open({}, false)
    await page.getByText('Reload the page to see new mail.').waitFor()
    assert.equal(await mails(page).count(), 25)
    await page.getByRole('link', { name: 'Older' }).click()
    await page.waitForURL('**/?before=*')
    assert.equal(await mails(page).count(), 2)
    await mails(page)
      .filter({ hasText: /Message 2\b/ })
      .click()
    await page.locator('.message-text').getByText('Plain words.').waitFor()
    await page.getByRole('link', { name: 'Headers' }).click()
    await page.getByRole('term').filter({ hasText: 'Subject' }).waitFor()
    await confirm(page.locator('.message'), 'Delete', 'Delete it')
    await page.getByText('26 messages', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'New account' }).click()
    await page.getByText('The account is ready.').waitFor()
    await page.goto(`${nonet.mailbox.url}/`)
    await confirm(page, 'Delete all', 'Delete 26 messages')
    await page.getByText('No mail yet').waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  for (const [shape, look] of Object.entries(SHAPES)) {
    test(`is sound, ${shape}`, async () => {
      const watched = await open(look)
      const { page } = watched
      await page.getByText('live', { exact: true }).waitFor()
      await assertSoundInBothColours(watched, `mailbox empty ${shape}`)
      const created = await fetch(`${nonet.mailbox.url}/v1/sandbox/accounts`, { method: 'POST' })
      const { address } = await created.json()
      await sendMail(nonet, { subject: SCRIPT, html: HOSTILE, text: 'Text' })
      await sendMail(nonet, {
        from: `"${'Long name '.repeat(20)}" <${'long'.repeat(12)}@example.org>`,
        to: address,
        subject: 'pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(5),
        text: 'long'.repeat(500),
        attachments: [{ filename: `${'a'.repeat(120)}.bin`, content: PIXEL }]
      })
      await mails(page).nth(1).waitFor()
      await assertSoundInBothColours(watched, `mailbox list ${shape}`)
      if (shape === 'desktop') await assertKeyboardWalk(watched, 'mailbox list')
      await mails(page).first().click()
      const views = shape === 'desktop' ? ['Text', 'Attachments 1'] : ['Source', 'Headers']
      for (const view of views) {
        await page.getByRole('link', { name: view, exact: true }).click()
        await page
          .locator('.message-views [aria-current]')
          .getByText(view.split(' ')[0] ?? '')
          .waitFor()
        await assertSoundInBothColours(watched, `mailbox ${view} ${shape}`)
      }
      if (shape === 'desktop') await assertKeyboardWalk(watched, 'mailbox attachments')
      await page.goto(`${nonet.mailbox.url}/`)
      await mails(page).nth(1).click()
      await page.frameLocator('iframe').getByText('Read me').waitFor()
      await assertSoundInBothColours(watched, `mailbox HTML ${shape}`)
      await page.goto(`${nonet.mailbox.url}/`)
      await page.getByRole('link', { name: address }).last().click()
      await page.getByText('For mail programs').waitFor()
      await assertSoundInBothColours(watched, `mailbox account ${shape}`)
      await page.context().close()
    })
  }
})
