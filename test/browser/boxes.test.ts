import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import {
  assertKeyboardWalk,
  assertSoundPage,
  LOOKS,
  openBrowser,
  visit
} from '../support/browser.ts'

describe('the page of boxes in a real browser', () => {
  let browser: Browser
  let nonet: Nonet<'boxes'>
  before(async () => {
    nonet = await start({ services: ['boxes'] })
    browser = await openBrowser()
    const records = [
      { name: 'Ada', '<script>alert(1)</script>': '"&\'' },
      { long: 'x'.repeat(3000) }
    ]
    await fetch(`${nonet.boxes.url}/shown`, { method: 'POST', body: JSON.stringify(records) })
  })
  after(async () => {
    await browser.close()
    await nonet.stop()
  })

  for (const [look, options] of Object.entries(LOOKS)) {
    for (const [name, path] of Object.entries({
      home: '/',
      box: '/?box=shown',
      empty: '/?box=none'
    })) {
      test(`boxes ${name}, ${look}`, async () => {
        const watched = await visit(browser, nonet.boxes.url + path, options)
        await assertSoundPage(watched, `boxes ${name} ${look}`)
        if (look === 'desktop light') await assertKeyboardWalk(watched, `boxes ${name}`)
        await watched.page.context().close()
      })
    }
  }

  test('a visitor stores a record, sees it, opens it and looks into another box, without JavaScript', async () => {
    const { page, complaints } = await visit(browser, `${nonet.boxes.url}/`, {}, false)
    const box = await page.getByLabel('Box id').first().inputValue()
    assert.match(box, /^box_[0-9a-f]{20}$/)
    assert.ok((await page.locator('pre').innerText()).includes(`${nonet.boxes.url}/box_`))
    await page.getByLabel('JSON object').fill('{"name": "Grace", "n": 1.0}')
    await page.getByRole('button', { name: 'Store' }).click()
    assert.equal(new URL(page.url()).searchParams.get('box'), box)
    const main = page.locator('main')
    assert.ok((await main.innerText()).includes('{"name": "Grace", "n": 1.0}'))
    await page.getByLabel('Box id').nth(1).fill('shown')
    await page.getByRole('button', { name: 'Show the newest' }).click()
    assert.ok((await main.innerText()).includes('<script>alert(1)</script>'))
    await page
      .getByRole('link')
      .filter({ hasText: /^[0-9a-f]{24}$/ })
      .last()
      .click()
    assert.ok((await page.locator('body').innerText()).includes('"name":"Ada"'))
    assert.deepEqual(complaints, [])
  })

  test('a record that is none comes back into the form with the reason', async () => {
    const { page } = await visit(browser, `${nonet.boxes.url}/`, {})
    await page.getByLabel('JSON object').fill('{"name": }')
    await page.getByRole('button', { name: 'Store' }).click()
    assert.match(await page.getByRole('alert').innerText(), /^Not stored: Invalid JSON/)
    assert.equal(await page.getByLabel('JSON object').inputValue(), '{"name": }')
  })
})
