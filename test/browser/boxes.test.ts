import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import {
  assertKeyboardWalk,
  assertSoundInBothColours,
  assertSoundPage,
  openBrowser,
  SHAPES,
  sharePages,
  visit
} from '../support/browser.ts'

const KEY = '4fbf7c06-5a3f-4d29-9d8a-1f1f0b8a4e11'
const OTHER_KEY = '9f6f3f8e-22b0-4f60-8f61-6c1c2b7b2a90'
/** What form and JSON parsers would change: digits, spaces, order and a line break. */
const GRACE = '{"name": "Grace",\n "n": 1.0, "id": 12345678901234567890}'

describe('the pages of boxes in a real browser', () => {
  let browser: Browser
  let nonet: Nonet<'boxes'>
  let shown = ''
  before(async () => {
    nonet = await start({ services: ['boxes'] })
    browser = await openBrowser()
    const records = [
      { name: 'Ada', '<script>alert(1)</script>': '"&\'', nested: { deep: { er: [1, 2, 3, 4] } } },
      { long: 'x'.repeat(3000) },
      ...Array.from({ length: 30 }, (_, n) => ({ name: `Grace ${n}`, born: 1906, tags: ['navy'] }))
    ]
    const response = await fetch(`${nonet.boxes.url}/shown/people`, {
      method: 'POST',
      body: JSON.stringify(records)
    })
    shown = (await response.json())[31]._id
    await store('hidden', '{"secret":1}', { 'x-api-key': KEY })
    await fetch(`${nonet.boxes.url}/_keys/hidden`, {
      method: 'PATCH',
      body: '{"private":true}',
      headers: { 'x-api-key': KEY }
    })
    await fetch(`${nonet.boxes.url}/_indexes/shown`, { method: 'PUT', body: '["name"]' })
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
      tree: '/?box=shown&view=json',
      matches: '/?box=shown&q=name:ada',
      record: '/?box=shown&record=',
      edit: '/?box=shown&mode=edit&record=',
      empty: '/?box=none',
      changes: '/?box=shown&tab=changes',
      schema: '/?box=shown&tab=schema',
      indexes: '/?box=shown&tab=indexes',
      keys: '/?box=hidden&tab=keys',
      exchange: '/?box=hidden&tab=exchange'
    })) {
      // Without a layout of their own on a narrow screen.
      const isAlike = ['matches', 'edit', 'changes', 'schema', 'indexes'].includes(name)
      if (shape === 'phone' && isAlike) continue
      test(`boxes ${name}, ${shape}`, async () => {
        const target = path.endsWith('record=') ? path + shown : path
        const watched = await show(options, nonet.boxes.url + target)
        await assertSoundInBothColours(watched, `boxes ${name} ${shape}`)
        const isWalked = ['home', 'record', 'empty', 'exchange'].includes(name)
        if (shape === 'desktop' && isWalked) await assertKeyboardWalk(watched, `boxes ${name}`)
      })
    }
    test(`the list of boxes on the console, ${shape}`, async () => {
      const watched = await show(options, `${nonet.console?.url}/boxes/`)
      await assertSoundInBothColours(watched, `console boxes ${shape}`)
      const link = watched.page.getByRole('link', { name: 'shown', exact: true })
      assert.equal(await link.getAttribute('href'), `${nonet.boxes.url}/?box=shown`)
    })
  }

  for (const script of [false, true]) {
    const how = script ? 'with its script' : 'without JavaScript'

    test(`a person stores, filters, edits, deletes and restores a record, ${how}`, async () => {
      const watched = await visit(browser, `${nonet.boxes.url}/`, {}, script)
      const { page, complaints } = watched
      await page.getByRole('link', { name: 'Open this box' }).click()
      await page.waitForURL(/box=box_[0-9a-f]{20}$/)
      const box = new URL(page.url()).searchParams.get('box') ?? ''
      assert.ok(
        (await page.locator('pre').first().innerText()).includes(`${nonet.boxes.url}/${box}`),
        'the snippets are those of the open box'
      )
      for (const record of ['{"name": "Ada", "born": 1815}', GRACE]) {
        const another = page.getByRole('link', { name: 'New record' })
        if ((await page.locator('#records').count()) > 0) await another.click()
        await page.getByRole('heading', { name: 'New record' }).waitFor()
        await page.getByLabel('JSON object').fill(record)
        await page.getByRole('button', { name: 'Store' }).click()
        await page.locator('#revision').waitFor()
      }
      assert.equal(await page.locator('#total').innerText(), '2 records')
      assert.deepEqual(await page.locator('#records th').allInnerTexts(), ['Grace', 'Ada'])
      assert.deepEqual(await headsOf(page), ['name', 'n', 'id', 'born', 'created'])

      await page.getByLabel('Filter').fill('name:grace , n:>0')
      await page.getByRole('button', { name: 'Filter' }).click()
      await page.getByText('1 of 2 records match').waitFor()
      await page.locator('pre').getByText(`/${box}?q=name%3Agrace%2Cn%3A%3E0'`).first().waitFor()
      await page.locator('#records').getByRole('link', { name: 'Grace' }).click()
      await page.getByRole('link', { name: 'Edit' }).click()
      const text = page.getByLabel('JSON object')
      assert.equal(await text.inputValue(), GRACE)
      const edited = GRACE.replace('Grace', 'Grace Hopper')
      await text.fill(edited)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('revision 2', { exact: true }).waitFor()
      const id = new URL(page.url()).searchParams.get('record')
      const snippet = await page.locator('.views pre').first().innerText()
      assert.ok(snippet.includes(`'If-Match: "2"'`) && snippet.includes(`/${box}/${id}'`), snippet)
      const before = await rawOf(box, id)
      assert.ok(before.includes(edited.slice(1, -1)), before)

      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByText(`Deleted: ${id}`).waitFor()
      assert.equal(await rawOf(box, id), '')
      if (script) await assertSoundPage(watched, 'boxes undo')
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.locator('#revision').waitFor()
      assert.equal(await rawOf(box, id), before, 'the same id, text and dates')
      assert.deepEqual(complaints, [])
      await page.context().close()
    })

    test(`two windows edit one record: both versions are shown, and none is lost, ${how}`, async () => {
      const { _id } = await store('contested', '{"n":1}')
      const address = `${nonet.boxes.url}/?box=contested&mode=edit&record=${_id}`
      const watched = await visit(browser, address, {}, script)
      const { page } = watched
      const second = await page.context().newPage()
      await second.goto(address)
      await second.getByLabel('JSON object').fill('{"n":2}')
      await second.getByRole('button', { name: 'Save' }).click()
      await second.getByText('revision 2', { exact: true }).waitFor()
      if (script) await page.getByText('Changed by another client').waitFor()
      await page.getByLabel('JSON object').fill('{"n":3}')
      await page.getByRole('button', { name: 'Save' }).click()
      const alert = page.getByRole('alert')
      assert.match(await alert.innerText(), /another client changed this record while you edited/)
      assert.match(await alert.innerText(), /You edited revision 1; revision 2 was saved/)
      const stored = page.getByRole('region', { name: 'Stored version' })
      assert.equal(await stored.innerText(), '{\n  "n": 2\n}')
      assert.equal(await page.getByLabel('JSON object').inputValue(), '{"n":3}')
      // The developer tools list the response 412, which is meant.
      watched.complaints.length = 0
      if (script) await assertSoundPage(watched, 'boxes conflict')
      await page.getByRole('button', { name: 'Save my version over it' }).click()
      await page.getByText('revision 3', { exact: true }).waitFor()
      assert.match(await rawOf('contested', _id), /"n":3/)

      await page.getByRole('link', { name: 'Edit' }).click()
      await page.getByLabel('JSON object').fill('{"n":4}')
      await fetch(`${nonet.boxes.url}/contested/${_id}`, { method: 'DELETE' })
      await page.getByRole('button', { name: 'Save' }).click()
      assert.match(await alert.innerText(), /another client deleted this record/)
      await page.getByRole('button', { name: 'Store it again' }).click()
      await page.locator('#revision').waitFor()
      assert.match(await rawOf('contested', _id), /"n":4/)
      await page.context().close()
    })

    test(`a private box shows itself to its key, ${how}`, async () => {
      const { page } = await visit(browser, `${nonet.boxes.url}/?box=hidden`, {}, script)
      await page.getByText('No records here').waitFor()
      await page.locator('.box-key').getByLabel('Key').fill(KEY)
      await page.getByRole('button', { name: 'Show with the key' }).click()
      await page.getByText('private, only with a key').waitFor()
      assert.deepEqual(await headsOf(page), ['secret', 'created'])
      assert.ok(!page.url().includes(KEY))
      assert.ok(!(await page.content()).includes(KEY))
      await page.locator('#records a').first().click()
      if (!script) {
        // A link has no key, so it is asked for again.
        await page.getByText('Record not found, or you do not have access').waitFor()
        await page.locator('.box-key').getByLabel('Key').fill(KEY)
        await page.getByRole('button', { name: 'Show with the key' }).click()
      }
      await page.getByText('revision 1', { exact: true }).waitFor()
      await page.context().close()
    })

    test(`a record that is none comes back with the reason, ${how}`, async () => {
      const { page } = await visit(browser, `${nonet.boxes.url}/?box=typo`, {}, script)
      await page.getByLabel('JSON object').fill('{"name": }')
      await page.getByRole('button', { name: 'Store' }).click()
      assert.match(await page.getByRole('alert').innerText(), /^Not stored\s+Invalid JSON/)
      assert.equal(await page.getByLabel('JSON object').inputValue(), '{"name": }')
      await page.context().close()
    })

    test(`a wrong filter is an error with the position of the mistake, ${how}`, async () => {
      const { page } = await visit(browser, `${nonet.boxes.url}/?box=shown`, {}, script)
      for (const [filter, wrong, message] of [
        ['born:>1900, name:::', '::', /a second ":" follows the first/],
        ['born:>', '>', /">" has no value after it/],
        ['{"born": }', '}', /expected a value/]
      ] as const) {
        await page.getByLabel('Filter').fill(filter)
        await page.getByRole('button', { name: 'Filter' }).click()
        await page.locator('mark').getByText(wrong, { exact: true }).waitFor()
        assert.match(await page.getByRole('alert').innerText(), message)
        assert.equal(await page.locator('.box-mistake').innerText(), filter)
      }
      await page.context().close()
    })

    test(`keys, schema, indexes, import and changes have their tabs, ${how}`, async () => {
      const box = `tabs-${script}`
      await store(box, '{"name":"first"}', { 'x-api-key': KEY })
      const { page, complaints } = await visit(browser, pageOf(box), {}, script)
      const tab = (name: string) =>
        page.getByRole('navigation', { name: 'This box' }).getByRole('link', { name }).click()

      await tab('Keys')
      await page.getByLabel('Owner key').fill(KEY)
      await page.getByRole('button', { name: 'Show the keys' }).click()
      await page.getByText('No keys besides the owner key').waitFor()
      await page.getByLabel('Owner key').fill(KEY)
      await page.getByLabel('Label').fill('Phone')
      await page.getByRole('button', { name: 'Issue a key' }).click()
      const issued = await page.getByRole('status').locator('code').innerText()
      assert.match(issued, /^[0-9a-f-]{36}$/)
      await page.goto(`${pageOf(box)}&tab=keys`)
      assert.ok(!(await page.content()).includes(issued), 'a key is shown once')

      await tab('Schema')
      await page.getByLabel('JSON Schema').fill('{"required":["name"]}')
      await page.getByLabel('Key').fill(KEY)
      await page.getByRole('button', { name: 'Save the schema' }).click()
      await page.getByRole('link', { name: 'All records' }).waitFor()

      await tab('Indexes')
      await page.getByLabel('Path').fill('name')
      await page.getByLabel('Key').fill(KEY)
      await page.getByRole('button', { name: 'Add the index' }).click()
      await page.getByRole('button', { name: 'Remove name' }).waitFor()

      await tab('Import, export')
      await page.getByLabel('Or a file').setInputFiles({
        name: 'records.ndjson',
        mimeType: 'application/x-ndjson',
        buffer: Buffer.from('{"name":"second"}\n{"other":1}\n')
      })
      await page.getByLabel('Key').first().fill(KEY)
      await page.getByRole('button', { name: 'Import' }).click()
      const result = await page.getByRole('alert').innerText()
      assert.match(
        result,
        /1 stored, 0 replaced, 0 unchanged, 1 rejected\s+Line 2: The record does/
      )
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Download the records' }).click()
      assert.equal((await download).suggestedFilename(), `${box}.ndjson`)

      await tab('Changes')
      await page.locator('#records .method').nth(1).waitFor()
      assert.deepEqual(await page.locator('#records .method').allInnerTexts(), ['create', 'create'])
      assert.deepEqual(complaints, [])
      await page.context().close()
    })
  }

  test('new records do not move what is being read; a button shows them', async () => {
    const { page, complaints } = await visit(browser, pageOf('watched'), {})
    await page.getByText('No records here').waitFor()
    await page.getByText('live', { exact: true }).waitFor()
    const { _id } = await store('watched', '{"seen":"one"}')
    const row = page.locator(`#r-${_id}`)
    await row.waitFor()
    await page.locator(`#l-${_id}`).focus()
    const { y } = (await row.boundingBox()) ?? assert.fail()
    await store('watched', '{"seen":"two"}')
    await page.getByRole('button', { name: 'Show 1 new' }).waitFor()
    await fetch(`${nonet.boxes.url}/watched/${_id}`, { method: 'PUT', body: '{"seen":"changed"}' })
    await row.getByText('changed').waitFor()
    assert.equal((await row.boundingBox())?.y, y)
    assert.equal(await page.evaluate(() => document.activeElement?.id), `l-${_id}`)
    await page.getByText('2 records').first().waitFor()
    assert.equal(await page.locator('#records tr').count(), 1)
    await page.getByRole('button', { name: 'Show 1 new' }).click()
    await page.locator('#records').getByText('two').waitFor()
    await fetch(`${nonet.boxes.url}/watched/${_id}`, { method: 'DELETE' })
    await page.locator(`#r-${_id}.gone`).waitFor()
    // Nobody reads the list any more: what is new appears by itself, what is deleted disappears.
    await page.getByLabel('Filter').focus()
    await store('watched', '{"seen":"three"}')
    await page.locator('#records').getByText('three').waitFor()
    assert.equal(await page.locator('#records tr').count(), 2)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('the watch can be paused', async () => {
    const { page } = await visit(browser, pageOf('paused'), {})
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('paused', { exact: true }).last().waitFor()
    const other = await page.context().newPage()
    await other.goto(pageOf('paused'))
    await other.getByText('live', { exact: true }).waitFor()
    await store('paused', '{"unseen":1}')
    // Another page shows it by itself, so this one had the time for it.
    await other.locator('#records').waitFor()
    assert.equal(await page.locator('#records').count(), 0)
    await page.getByRole('button', { name: 'Watch' }).click()
    await page.locator('#records').waitFor()
    await page.context().close()
  })

  test('a key stays in its tab, and is sent when the box is watched', async () => {
    const { page } = await visit(browser, pageOf('hidden'), {})
    await page.locator('.box-key').getByLabel('Key').fill(KEY)
    await page.getByRole('button', { name: 'Show with the key' }).click()
    await page.locator('#records').waitFor()
    await store('hidden', '{"secret":"later"}', { 'x-api-key': KEY })
    await page.locator('#records').getByText('later').waitFor()
    await page.goto(pageOf('hidden'))
    await page.locator('#records').getByText('later').waitFor()
    const other = await page.context().newPage()
    await other.goto(pageOf('hidden'))
    await other.getByText('No records here').waitFor()
    await other.goto(`${pageOf('hidden')}&tab=keys`)
    await other.getByLabel('Owner key').fill(OTHER_KEY)
    await other.getByRole('button', { name: 'Show the keys' }).click()
    assert.match(await other.getByRole('alert').innerText(), /The key was missing or wrong/)
    await page.context().close()
  })

  function pageOf(box: string): string {
    return `${nonet.boxes.url}/?box=${box}`
  }

  async function store(box: string, body: string, headers: Record<string, string> = {}) {
    const response = await fetch(`${nonet.boxes.url}/${box}`, { method: 'POST', body, headers })
    return (await response.json()) as { _id: string }
  }

  /** The record as the API returns it; empty if there is none. */
  async function rawOf(box: string, id: string | null): Promise<string> {
    const response = await fetch(`${nonet.boxes.url}/${box}/${id}`)
    return response.ok ? response.text() : ''
  }
})

function headsOf(page: Page): Promise<string[]> {
  return page.locator('thead th').allInnerTexts()
}
