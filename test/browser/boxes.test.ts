import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import {
  assertKeyboardWalk,
  assertSoundInBothColours,
  confirm,
  openBrowser,
  SHAPES,
  sharePages,
  visit
} from '../support/browser.ts'

const KEY = '4fbf7c06-5a3f-4d29-9d8a-1f1f0b8a4e11'

describe('the page of boxes in a real browser', () => {
  let browser: Browser
  let nonet: Nonet<'boxes'>
  let shown = ''
  before(async () => {
    nonet = await start({ services: ['boxes'] })
    browser = await openBrowser()
    const records = [
      { name: 'Ada', '<script>alert(1)</script>': '"&\'' },
      { long: 'x'.repeat(3000) }
    ]
    const answer = await fetch(`${nonet.boxes.url}/shown/people`, {
      method: 'POST',
      body: JSON.stringify(records)
    })
    shown = (await answer.json())[0]._id
    await store('hidden', '{"secret":1}', { 'x-api-key': KEY })
    await fetch(`${nonet.boxes.url}/_keys/hidden`, {
      method: 'PATCH',
      body: '{"private":true}',
      headers: { 'x-api-key': KEY }
    })
  })
  after(async () => {
    await browser.close()
    await nonet.stop()
  })

  const show = sharePages(() => browser)
  for (const [shape, options] of Object.entries(SHAPES)) {
    for (const [name, path] of Object.entries({
      home: '/',
      box: '/?box=shown',
      matches: '/?box=shown&q=name:ada',
      record: '/?box=shown&record=',
      empty: '/?box=none'
    })) {
      test(`boxes ${name}, ${shape}`, async () => {
        const target = path.endsWith('record=') ? path + shown : path
        const watched = await show(options, nonet.boxes.url + target)
        await assertSoundInBothColours(watched, `boxes ${name} ${shape}`)
        if (shape === 'desktop') await assertKeyboardWalk(watched, `boxes ${name}`)
      })
    }
  }

  /** The same walk with and without JavaScript. */
  for (const script of [false, true]) {
    const how = script ? 'with its script' : 'without JavaScript'

    test(`a visitor stores, finds, changes and deletes a record, ${how}`, async () => {
      const { page, complaints } = await visit(browser, `${nonet.boxes.url}/`, {}, script)
      const main = page.locator('main')
      const box = await page.getByLabel('Box id').first().inputValue()
      assert.match(box, /^box_[0-9a-f]{20}$/)
      assert.ok((await page.locator('pre').first().innerText()).includes(`${nonet.boxes.url}/box_`))
      for (const record of ['{"name": "Grace", "n": 1.0}', '{"name": "Ada"}']) {
        await page.getByLabel('JSON object').fill(record)
        await page.getByRole('button', { name: 'Store' }).click()
        await main.locator('li').getByText(record).waitFor()
        assert.equal(new URL(page.url()).searchParams.get('box'), box)
        await page.getByLabel('Box id').nth(1).fill(box)
      }
      await page.getByLabel('Filter').first().fill('name:grace')
      await page.getByRole('button', { name: 'Show the newest records' }).click()
      await page.getByRole('heading', { name: 'Newest matches' }).waitFor()
      assert.equal(await recordLinks(page).count(), 1)
      await recordLinks(page).first().click()
      await page.getByRole('heading', { name: /^Record [0-9a-f]{24}$/ }).waitFor()
      assert.equal(await page.getByLabel('JSON object').inputValue(), '{"name": "Grace", "n": 1.0}')
      await page.getByLabel('JSON object').fill('{"name": "Grace Hopper"}')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator('input[name="rev"][value="2"]').first().waitFor({ state: 'attached' })
      await page.getByText('_updatedOn').waitFor()
      assert.equal(await page.getByLabel('JSON object').inputValue(), '{"name": "Grace Hopper"}')
      await confirm(page, 'Delete', 'Delete the record')
      await page.getByRole('heading', { name: 'Newest records' }).waitFor()
      assert.equal(await recordLinks(page).count(), 1)
      assert.deepEqual(complaints, [])
      await page.context().close()
    })

    test(`a private box shows itself to its key, ${how}`, async () => {
      const { page } = await visit(browser, `${nonet.boxes.url}/?box=hidden`, {}, script)
      await page.getByText('hidden is empty.').waitFor()
      await page.getByLabel('Key').last().fill(KEY)
      await page.getByRole('button', { name: 'Show with the key' }).click()
      await page.locator('main').getByText('{"secret":1}').waitFor()
      assert.ok(!page.url().includes(KEY))
      assert.ok(!(await page.content()).includes(KEY))
      await page.context().close()
    })

    test(`a record that is none comes back into the form with the reason, ${how}`, async () => {
      const { page } = await visit(browser, `${nonet.boxes.url}/`, {}, script)
      await page.getByLabel('JSON object').fill('{"name": }')
      await page.getByRole('button', { name: 'Store' }).click()
      assert.match(await page.getByRole('alert').innerText(), /^Not stored: Invalid JSON/)
      assert.equal(await page.getByLabel('JSON object').inputValue(), '{"name": }')
      await page.context().close()
    })

    test(`nobody overwrites what somebody else has changed meanwhile, ${how}`, async () => {
      const { _id } = await store('contested', '{"n":1}')
      const address = `${nonet.boxes.url}/?box=contested&record=${_id}`
      const { page } = await visit(browser, address, {}, script)
      await fetch(`${nonet.boxes.url}/contested/${_id}`, { method: 'PUT', body: '{"n":2}' })
      await page.getByLabel('JSON object').fill('{"n":3}')
      await page.getByRole('button', { name: 'Save' }).click()
      assert.match(await page.getByRole('alert').innerText(), /^Not saved: /)
      assert.equal(await page.getByLabel('JSON object').inputValue(), '{"n":3}')
      assert.equal(await page.locator('pre').innerText(), '{\n  "n": 2\n}')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').waitFor({ state: 'detached' })
      const answer = await fetch(`${nonet.boxes.url}/contested/${_id}`)
      assert.equal((await answer.json()).n, 3)
      await page.context().close()
    })
  }

  test('changes show by themselves, and the watch can be paused', async () => {
    const { page, complaints } = await visit(browser, `${nonet.boxes.url}/?box=watched`, {})
    await page.getByText('watched is empty.').waitFor()
    await page.getByText('Live: changes appear').waitFor()
    const { _id } = await store('watched', '{"seen":1}')
    await page.getByText('{"seen":1}').waitFor()
    await page.locator(`#r-${_id}`).focus()
    await fetch(`${nonet.boxes.url}/watched/${_id}`, { method: 'PUT', body: '{"seen":2}' })
    await page.getByText('{"seen":2}').waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.id), `r-${_id}`)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused.').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${nonet.boxes.url}/?box=watched`)
    await other.getByText('Live: changes appear').waitFor()
    await store('watched', '{"unseen":1}')
    // Where another page shows it by itself, this one had its time.
    await other.getByText('{"unseen":1}').waitFor()
    assert.equal(await page.getByText('{"unseen":1}').count(), 0)
    await page.getByRole('button', { name: 'Watch' }).click()
    await page.getByText('{"unseen":1}').waitFor()
    await store('watched', '{"seen":3}')
    await page.getByText('{"seen":3}').waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a key stays in its tab, and goes along when the box is watched', async () => {
    const { page } = await visit(browser, `${nonet.boxes.url}/?box=hidden`, {})
    await page.getByLabel('Key').last().fill(KEY)
    await page.getByRole('button', { name: 'Show with the key' }).click()
    await page.locator('main').getByText('{"secret":1}').waitFor()
    await store('hidden', '{"secret":2}', { 'x-api-key': KEY })
    await page.locator('main').getByText('{"secret":2}').waitFor()
    await page.goto(`${nonet.boxes.url}/?box=hidden`)
    await page.locator('main').getByText('{"secret":2}').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${nonet.boxes.url}/?box=hidden`)
    await other.getByText('hidden is empty.').waitFor()
    await page.context().close()
  })

  async function store(box: string, body: string, headers: Record<string, string> = {}) {
    const answer = await fetch(`${nonet.boxes.url}/${box}`, { method: 'POST', body, headers })
    return (await answer.json()) as { _id: string }
  }
})

function recordLinks(page: Page) {
  return page.getByRole('link').filter({ hasText: /^[0-9a-f]{24}$/ })
}
