import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { parse } from 'yaml'
import { type MockedApi, mock } from '../../src/host/mock.ts'
import {
  assertKeyboardWalk,
  assertSoundInBothColours,
  assertSoundPage,
  confirm,
  LOOKS,
  openBrowser,
  SHAPES,
  sharePages,
  visit
} from '../support/browser.ts'
import { sendPlain } from '../support/plain-http.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { openWebhook, type Webhook } from '../support/webhook.ts'

const GARDEN = join(import.meta.dirname, '../../data/mock/garden.yaml')
const HARVEST = {
  post: {
    summary: 'Something is ripe <b>now</b>',
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['plant'],
            properties: { plant: { type: 'integer' } }
          },
          examples: { basil: { value: { plant: 1 } }, bean: { value: { plant: 2 } } }
        }
      }
    },
    responses: { 200: { description: 'Seen.' } }
  }
}

/** The sample, with a webhook and with an example that breaks its schema. */
function writeDocument(): string {
  const document = parse(readFileSync(GARDEN, 'utf8'))
  document.webhooks = { harvest: HARVEST, frost: { put: { responses: {} } } }
  document.paths['/beds'].get.responses['200'].content['application/json'].example.push({ id: 'x' })
  const file = join(scratchFolder(), 'garden.json')
  writeFileSync(file, JSON.stringify(document))
  return file
}

const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)>"\'&'

async function playSession(url: string): Promise<void> {
  const json = { 'content-type': 'application/json' }
  const body = '{"name":"Leek","bed":1}'
  await fetch(`${url}/beds`)
  await fetch(`${url}/plants?limit=3&after=1`)
  await fetch(`${url}/plants?limit=99`, { headers: { authorization: 'Bearer hush' } })
  await fetch(`${url}/plants/1`, { headers: { prefer: 'example=eaten' } })
  await fetch(`${url}/plants/1`, { headers: { prefer: 'code=404' } })
  await fetch(`${url}/plants`, { method: 'POST', headers: json, body })
  await fetch(`${url}/plants`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ name: 1, HOSTILE })
  })
  await sendPlain(`${url}/weeds/%3Cscript%3E'"?q=${encodeURIComponent(HOSTILE)}`, {
    headers: { 'x-hostile': HOSTILE, accept: '*/*' }
  })
  await fetch(`${url}/${'very-long-name-'.repeat(30)}?${'q=1&'.repeat(50)}`)
}

describe('pages of the mock in a real browser', () => {
  let browser: Browser
  let api: MockedApi
  let quiet: MockedApi
  let keeping: MockedApi
  let receiver: Webhook
  let report: Server
  before(async () => {
    const file = join(scratchFolder(), 'report.html')
    const document = writeDocument()
    const ended = await mock(document, { report: file })
    await playSession(ended.url)
    await ended.stop()
    report = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(readFileSync(file))
    }).listen(0, '127.0.0.1')
    api = await mock(document)
    quiet = await mock(GARDEN)
    keeping = await mock(GARDEN, { state: true })
    await playSession(keeping.url)
    await fetch(`${keeping.url}/plants/1`, {
      method: 'DELETE',
      headers: { prefer: `session=<i>two</i>` }
    })
    receiver = await openWebhook()
    await playSession(api.url)
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await Promise.all([api.stop(), quiet.stop(), keeping.stop(), receiver.close()])
    report.close()
  })

  const pages: Readonly<Record<string, () => string>> = {
    'mock operations': () => `${api.url}/__nonet/`,
    'mock journal': () => `${api.url}/__nonet/journal`,
    'mock journal filtered': () => `${api.url}/__nonet/journal?status=4xx&violations=true`,
    'mock journal empty': () => `${quiet.url}/__nonet/journal`,
    'mock entry': () => `${api.url}/__nonet/journal/7`,
    'mock hostile entry': () => `${api.url}/__nonet/journal/8`,
    'mock violations': () => `${api.url}/__nonet/violations`,
    'mock coverage': () => `${api.url}/__nonet/coverage`,
    'mock coverage never': () => `${api.url}/__nonet/coverage?show=never`,
    'mock webhooks': () => `${api.url}/__nonet/webhooks`,
    'mock state': () => `${keeping.url}/__nonet/state`,
    'mock records': () => `${keeping.url}/__nonet/state?path=/plants`,
    'mock record': () => `${keeping.url}/__nonet/state?path=/plants/2`,
    'mock try': () => `${api.url}/__nonet/try?operation=POST%20/plants`,
    'mock edit hostile': () => `${api.url}/__nonet/journal/8/edit`,
    'mock state off': () => `${api.url}/__nonet/state`,
    'mock documents': () => `${api.url}/__nonet/documents`,
    'mock report': () => `http://127.0.0.1:${(report.address() as AddressInfo).port}/`
  }

  /** Variations of another page need not be seen in every look. */
  const VARIATIONS = ['filtered', 'never', 'hostile', 'empty', 'off']
  const SOME_LOOKS = ['desktop light', 'phone dark']

  const show = sharePages(() => browser)
  for (const [name, address] of Object.entries(pages)) {
    const isVariation = VARIATIONS.some((word) => name.includes(word))
    for (const [look, options] of Object.entries(isVariation ? LOOKS : SHAPES)) {
      if (isVariation && !SOME_LOOKS.includes(look)) continue
      test(`${name}, ${look}`, async () => {
        const watched = await show(options, address())
        const assertSound = isVariation ? assertSoundPage : assertSoundInBothColours
        await assertSound(watched, `${name} ${look}`)
        if (look.startsWith('desktop')) await assertKeyboardWalk(watched, name)
      })
    }
  }

  test('what a client sent stays text', async () => {
    for (const path of ['journal', 'journal/7', 'journal/8', 'violations', 'coverage']) {
      const { page, complaints } = await visit(browser, `${api.url}/__nonet/${path}`, {})
      assert.equal(await page.locator('main script, main img').count(), 0, path)
      assert.deepEqual(complaints, [], path)
      await page.context().close()
    }
    const { page } = await visit(browser, `${api.url}/__nonet/journal/8`, {})
    assert.ok((await page.locator('main').innerText()).includes(HOSTILE))
    await page.context().close()
  })

  test('without JavaScript: a reader filters, opens a request, and clears', async () => {
    await using own = await mock(GARDEN)
    await playSession(own.url)
    const { page, complaints } = await visit(browser, `${own.url}/__nonet/`, {}, false)
    await page.getByRole('link', { name: 'Journal' }).click()
    await page.getByLabel('Operation').selectOption('GET /plants')
    await page.getByLabel('Status').fill('422')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL(/status=422/)
    assert.equal(await page.locator('tbody tr').count(), 1)
    await page.locator('tbody a').click()
    await page.waitForURL(/journal\/3/)
    const text = await page.locator('main').innerText()
    assert.match(text, /must be <= 50/)
    assert.match(text, /Bearer \*\*\*/)
    await page.goBack()
    await confirm(page, 'Clear the journal', 'Clear')
    await page.waitForURL(/journal$/)
    assert.match(await page.locator('main').innerText(), /No entries/)
    await page.getByRole('link', { name: 'Coverage' }).click()
    await page.getByRole('link', { name: 'Only never seen' }).click()
    await page.waitForURL(/show=never/)
    await confirm(page, 'Reset the counts', 'Reset')
    await page.waitForURL(/coverage$/)
    assert.match(await page.locator('.lead').innerText(), /^Operations called: 0 of 6/)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a POST with a violation is tried, followed to the journal and sent again mended', async () => {
    await using own = await mock(GARDEN)
    const { page, complaints } = await visit(browser, `${own.url}/__nonet/`, {})
    const row = page.getByRole('row').filter({ hasText: 'Sow something' })
    await row.getByRole('link', { name: '/plants' }).click()
    await page.getByLabel('bed').fill('two')
    await page.getByRole('button', { name: 'Send' }).first().click()
    const response = page.locator('#response')
    await response.getByText('422').waitFor()
    // The form stays as it was filled in, without another page.
    assert.equal(await page.getByLabel('bed').inputValue(), 'two')
    assert.match(await response.innerText(), /bed must be integer/)
    await assertSoundPage({ page, complaints, bytes: 0 }, 'mock tried')
    await response.getByRole('link', { name: 'request.body.bed' }).click()
    await page.waitForURL(/journal\/1$/)
    assert.match(await page.locator('main').innerText(), /curl http:.*--data-raw/s)
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.waitForURL(/journal\/2$/)
    await page.getByRole('link', { name: 'Change and send' }).click()
    await page.waitForURL(/journal\/2\/edit$/)
    const body = page.locator('textarea[name=body]')
    await body.fill((await body.inputValue()).replace('"two"', '2'))
    await body.press('Control+Enter')
    await response.getByText('201').waitFor()
    assert.match(await response.innerText(), /comply with the document/)
    await page.goto(`${own.url}/__nonet/violations`)
    await page.locator('tbody a').first().click()
    await page.waitForURL(/journal\/2$/)
    await page.goto(`${own.url}/__nonet/`)
    const count = page.getByRole('row').filter({ hasText: 'Sow something' }).locator('.number')
    assert.equal(await count.textContent(), '3 calls')
    await page.getByText('Live.').waitFor()
    await fetch(`${own.url}/beds`)
    const beds = page.getByRole('row').filter({ hasText: 'All beds' }).locator('.number')
    await beds.filter({ hasText: /^1 call$/ }).waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('without JavaScript: an operation is tried with another example, and a record is edited', async () => {
    await using own = await mock(GARDEN, { state: true })
    const url = `${own.url}/__nonet/try?operation=POST%20/plants`
    const { page, complaints } = await visit(browser, url, {}, false)
    await page.getByRole('button', { name: 'Edit as text' }).click()
    await page.getByLabel('Text of the body').fill('{"name":"Sorrel","bed":"one"}')
    await page.getByRole('button', { name: 'Send' }).first().click()
    await page.locator('#response').getByText('422').waitFor()
    await page.getByRole('link', { name: 'Change and send again' }).click()
    await page.locator('textarea[name=body]').fill('{"name":"Sorrel","bed":1}')
    await page.getByRole('button', { name: 'Send' }).first().click()
    await page.locator('#response').getByText('201').waitFor()
    await page.goto(`${own.url}/__nonet/state?path=/plants`)
    await page.getByRole('link', { name: '3', exact: true }).click()
    const text = page.getByLabel('Record, as JSON')
    await text.fill('{"id":3,"name":7}')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    assert.match(await page.getByRole('alert').innerText(), /violates the document/)
    await text.fill('{"id":3,"name":"Dill","bed":2}')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/plants%2F3/)
    assert.match(await page.locator('pre').innerText(), /"Dill"/)
    await confirm(page, 'Delete', 'Delete the record')
    await page.waitForURL(/path=%2Fplants$/)
    await page.getByLabel('Record, as JSON').fill('{"name":"Chive","bed":1}')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('Chive').first().waitFor()
    assert.equal(await page.getByText('Dill').count(), 0)
    // The browser itself notes the statuses of the rejected form.
    assert.deepEqual(
      complaints.filter((told) => !told.includes('422')),
      []
    )
    await page.context().close()
  })

  test('the journal goes on by itself, as its filter says', async () => {
    await using own = await mock(GARDEN)
    const { page, complaints } = await visit(browser, `${own.url}/__nonet/journal?status=2xx`, {})
    await page.getByText('Live: new requests appear at the top.').waitFor()
    await fetch(`${own.url}/beds`)
    await fetch(`${own.url}/weeds`)
    await page.locator('tbody tr', { hasText: '/beds' }).waitFor()
    await fetch(`${own.url}/plants/1?a=%3Cimg src=x%3E`)
    await page.locator('tbody tr', { hasText: '/plants/1' }).waitFor()
    assert.deepEqual(await page.locator('tbody tr th').allInnerTexts(), [
      'GET /plants/1?a=%3Cimg%20src=x%3E',
      'GET /beds'
    ])
    assert.equal(await page.locator('#none').count(), 0)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a reader looks at records, and takes one session and then all back', async () => {
    await using own = await mock(GARDEN, { state: true })
    const send = (session: string, body: string) =>
      fetch(`${own.url}/plants`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: `session=${session}` },
        body
      })
    await send('one', '{"name":"Kale","bed":1}')
    await send('two', '{"name":"Chervil","bed":1}')
    const { page, complaints } = await visit(browser, `${own.url}/__nonet/state`, {}, false)
    await page.getByRole('link', { name: 'one', exact: true }).click()
    await page.waitForURL(/session=one/)
    await page.getByRole('link', { name: '/plants' }).first().click()
    await page.waitForURL(/path=/)
    assert.match(await page.locator('main').innerText(), /Kale/)
    assert.doesNotMatch(await page.locator('main').innerText(), /Chervil/)
    await page.goto(`${own.url}/__nonet/state`)
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'one' }) })
    await confirm(row, 'Reset', 'Reset one')
    await page.waitForURL(/state$/)
    assert.equal(await page.getByRole('link', { name: 'one', exact: true }).count(), 0)
    assert.equal(await page.getByRole('link', { name: 'two', exact: true }).count(), 1)
    await confirm(page, 'Reset the state', 'Reset all sessions')
    await page.waitForURL(/state$/)
    assert.match(await page.locator('main').innerText(), /No records have been written yet/)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a webhook is sent from the page, and what is wrong with it is said there', async () => {
    const { page, complaints } = await visit(browser, `${api.url}/__nonet/webhooks`, {}, false)
    const form = page.locator('section', { hasText: 'POST harvest' })
    await form.getByLabel('URL of the receiver').fill(receiver.url)
    assert.match(await form.innerText(), /"plant": 1/)
    await form.locator('label', { hasText: 'your own' }).click()
    await form.getByLabel('JSON body to send').fill('{"plant":"x"}')
    await form.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').waitFor()
    assert.match(await page.getByRole('alert').innerText(), /violates the document.*integer/s)
    assert.deepEqual(receiver.take(), [])
    await form.getByLabel('URL of the receiver').fill(receiver.url)
    await form.locator('label', { hasText: 'bean' }).click()
    await form.getByRole('button', { name: 'Send' }).click()
    await page.getByText('response 200 after').waitFor()
    assert.equal(receiver.take()[0]?.body, '{"plant":2}')
    // The browser itself notes the 422 of the first attempt.
    assert.deepEqual(
      complaints.filter((text) => !text.includes('422')),
      []
    )
    await page.context().close()
  })
})
