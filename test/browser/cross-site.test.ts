/** What a page of another site can do to nonet in a real browser, and what our own pages can. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import { openBrowser } from '../support/browser.ts'
import { writeCallsDocument } from '../support/calls-document.ts'
import { sendPlain } from '../support/plain-http.ts'
import { openWebhook, type Webhook } from '../support/webhook.ts'

const BOX = 'box_that_is_not_emptied'
const STEP_TIMEOUT_MS = 120_000

let browser: Browser
let nonet: Nonet<'boxes' | 'scenarios' | 'forms' | 'mock'>
let elsewhere: Server
let receiver: Webhook
let page: Page

before(async () => {
  nonet = await start({
    services: ['boxes', 'scenarios', 'forms', 'mock'],
    mock: { documents: [writeCallsDocument()], reload: false }
  })
  const headers = { 'content-type': 'application/json' }
  const box = `${nonet.boxes.url}/${BOX}`
  await sendPlain(box, { method: 'POST', headers, body: '{"kept":true}' })
  elsewhere = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>elsewhere</title>')
  }).listen(0, '127.0.0.1')
  await once(elsewhere, 'listening')
  receiver = await openWebhook()
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await receiver.close()
  elsewhere.closeAllConnections()
  elsewhere.close()
  await nonet.stop()
})

async function openElsewhere(host: string): Promise<void> {
  const context = await browser.newContext()
  context.setDefaultTimeout(STEP_TIMEOUT_MS)
  page = await context.newPage()
  await page.goto(`http://${host}:${(elsewhere.address() as AddressInfo).port}/`)
}

/** Sends a POST as a form of the page would, and stays on the page. */
async function submitForm(action: string, enctype: string): Promise<number> {
  const answered = page.waitForResponse((response) => response.url() === action)
  await page.evaluate(
    ([url, type]) => {
      const frame = document.createElement('iframe')
      const form = document.createElement('form')
      frame.name = `frame ${document.forms.length}`
      Object.assign(form, { action: url, method: 'post', enctype: type, target: frame.name })
      form.innerHTML = '<input name="a" value="b">'
      document.body.append(frame, form)
      form.submit()
    },
    [action, enctype]
  )
  return (await answered).status()
}

/** A request that the browser sends without asking the server first. */
async function sendSimply(url: string, mode: RequestMode): Promise<void> {
  await page.evaluate(
    async ([target, wanted]) => {
      const init = { method: 'POST', mode: wanted as RequestMode, body: 'text' }
      await fetch(String(target), init).catch(() => {})
      await fetch(String(target), { ...init, body: null }).catch(() => {})
      navigator.sendBeacon(String(target))
    },
    [url, mode]
  )
}

async function expectKept(): Promise<void> {
  const { body } = await sendPlain(`${nonet.boxes.url}/${BOX}`)
  assert.equal(JSON.parse(body.toString()).length, 1)
}

// 127.0.0.1 is the host of nonet, so its other ports are the same site but another origin.
for (const host of ['elsewhere.example', 'localhost', '127.0.0.1']) {
  test(`a page of ${host} changes nothing by a form or a simple request`, async () => {
    await openElsewhere(host)
    for (const url of [
      `${nonet.console?.url}/reset`,
      `${nonet.mock.url}/__nonet/journal/clear`,
      `${nonet.scenarios.url}/_workspaces`
    ]) {
      assert.equal(await submitForm(url, 'application/x-www-form-urlencoded'), 403, url)
      assert.equal(await submitForm(`${url}?a=1`, 'text/plain'), 403, url)
      for (const mode of ['cors', 'no-cors'] as const) await sendSimply(url, mode)
    }
    await page.context().close()
    await expectKept()
  })
}

test('a page of another site causes no callback, one of the same site does', async () => {
  const hook = (url: string) => `${nonet.mock.url}/subscribe?hook=${encodeURIComponent(url)}`
  await openElsewhere('elsewhere.example')
  for (const url of [`${nonet.console?.url}/reset`, `${receiver.url}cross-site`]) {
    assert.equal(await submitForm(hook(url), 'text/plain'), 204)
    await sendSimply(hook(url), 'no-cors')
  }
  await page.context().close()
  // A front end under development, whatever loopback name it has.
  for (const host of ['127.0.0.1', 'localhost']) {
    await openElsewhere(host)
    await submitForm(hook(`${receiver.url}${host}`), 'text/plain')
    await page.context().close()
  }
  const deadline = performance.now() + STEP_TIMEOUT_MS
  const paths: string[] = []
  while (paths.length < 2) {
    assert.ok(performance.now() < deadline, `only ${paths} arrived`)
    await new Promise(setImmediate)
    paths.push(...receiver.take().map(({ path }) => path))
  }
  assert.deepEqual(paths.toSorted(), ['/127.0.0.1', '/localhost'])
  await expectKept()
})

test('the buttons of our own pages work', async () => {
  const form = '{"email":"ada@example.org","fullName":"Ada"}'
  await sendPlain(nonet.forms.url, { method: 'POST', body: form })
  await sendPlain(`${nonet.scenarios.url}/w/shown/api/users`)
  const buttons: [url: string, name: string, question: string][] = [
    [`${nonet.console?.url}/forms/`, 'Delete all', 'Clear'],
    [`${nonet.console?.url}/scenarios/workspaces`, 'Reset all workspaces', 'Reset all'],
    [`${nonet.mock.url}/__nonet/journal`, 'Clear', 'Clear the journal'],
    [`${nonet.mock.url}/__nonet/coverage`, 'Reset', 'Reset the counts']
  ]
  const context = await browser.newContext({ javaScriptEnabled: false })
  context.setDefaultTimeout(STEP_TIMEOUT_MS)
  page = await context.newPage()
  for (const [url, name, question] of buttons) {
    await page.goto(url)
    await page.locator('.ask summary').getByText(question).click()
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    const button = page.getByRole('button', { name, exact: true })
    const [response] = await Promise.all([answered, button.click()])
    assert.equal(response.status(), 303, url)
    await page.waitForURL(url)
  }
  await context.close()
})
