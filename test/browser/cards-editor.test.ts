import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import { siteOf } from '../contract/cards-site.ts'
import { assertSoundInBothColours, openBrowser, SHAPES } from '../support/browser.ts'
import { signInWithToken } from '../support/cards-board-page.ts'
import { jpeg, openBoard, type TestBoard, upload } from '../support/cards-files.ts'

const BOARD = /\/b\/(\w{8})/

describe('the editor of cards in a real browser', () => {
  let browser: Browser
  let nonet: Nonet<'cards'>
  let board: TestBoard
  let boardLink = ''
  const image = { name: 'Harbour at night.jpg', mimeType: 'image/jpeg' }
  before(async () => {
    nonet = await start({ services: ['cards'] })
    const site = siteOf(nonet)
    board = await openBoard(site)
    const { shortUrl } = await site.json(`/boards/${board.board}`, { token: board.token })
    boardLink = BOARD.exec(shortUrl)?.[1] ?? ''
    const fields = [
      { name: 'Client', type: 'text' },
      { name: 'Area', type: 'number' }
    ]
    for (const field of fields) {
      const body = { idModel: board.board, modelType: 'board', pos: 'bottom', ...field }
      await site.json('/customFields', { method: 'POST', token: board.token, body })
    }
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await nonet.stop()
  })

  const signIn = (look: BrowserContextOptions = {}, hasScript = true) =>
    signInWithToken(browser, nonet.cards.url, board.token, look, hasScript)

  async function addCard(name: string, list = board.drafts) {
    const site = siteOf(nonet)
    const body = { name, idList: list }
    return site.json('/cards', { method: 'POST', token: board.token, body })
  }

  async function stored(id: string) {
    const { text } = await siteOf(nonet).ask(`/content/${board.board}/cards/${id}`, {
      token: board.token
    })
    return JSON.parse(text)
  }

  function saved(page: Page) {
    return page.locator('#status', { hasText: 'Saved at' }).waitFor()
  }

  test('a card is created with two images and saved without a new page', async () => {
    const { page, complaints } = await signIn()
    await page.goto(`${nonet.cards.url}/b/${boardLink}/-/new?list=${board.drafts}`)
    await page.getByLabel('Title').fill('Harbour lights')
    await page.getByLabel('Description').fill('A **walk** at night')
    const buffer = await jpeg(1200, 800)
    await page.locator('#f-file').setInputFiles([
      { ...image, buffer },
      { ...image, name: 'Second.jpg', buffer: await jpeg(900, 600) }
    ])
    assert.equal(await page.locator('#uploads progress').count(), 2)
    await page.getByRole('button', { name: 'Create card' }).click()
    await page.waitForURL(/harbour-lights/)
    assert.equal(await page.locator('#images > li').count(), 2)
    assert.ok(
      await page
        .locator('#images img')
        .first()
        .evaluate((one: HTMLImageElement) => one.decode().then(() => one.naturalWidth > 0))
    )
    const id = (await page.locator('#editor').getAttribute('data-card')) ?? ''
    await page.getByLabel('Describe it').first().fill('Lamps along the quay')
    await page.getByText('New label').click()
    await page.getByLabel('Name', { exact: true }).fill('city')
    await page.getByLabel('Colour').selectOption('sky')
    await page.getByLabel('Completed').fill('2026-05-12')
    await page.getByLabel('URL', { exact: true }).fill('https://example.org/harbour')
    await page.getByLabel('Client').fill('The port')
    await page.locator('.states').getByText('Published').click()
    assert.equal(await page.getByLabel('List').inputValue(), board.published)
    assert.equal(await page.locator('#status').textContent(), 'Unsaved changes')
    await page.keyboard.press('Control+s')
    await saved(page)
    const card = await stored(id)
    assert.deepEqual(
      [
        card.images[0].alt,
        card.labels[0].name,
        card.completedAt,
        card.url,
        card.fields.Client,
        card.list.id
      ],
      [
        'Lamps along the quay',
        'city',
        '2026-05-12',
        'https://example.org/harbour',
        'The port',
        board.published
      ]
    )
    assert.equal(await page.getByLabel('city').isChecked(), true)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('files are uploaded with progress, dropped and pasted', async () => {
    const card = await addCard('Files')
    const { page, complaints } = await signIn()
    await page.goto(card.shortUrl)
    await page.getByLabel('Title').fill('Typed before')
    await page.evaluate(() => {
      const parts: number[] = []
      Reflect.set(window, 'parts', parts)
      new MutationObserver(() => {
        for (const bar of document.querySelectorAll('progress')) parts.push(bar.value)
      }).observe(document.body, { subtree: true, childList: true, attributes: true })
    })
    await page.locator('#f-file').setInputFiles([
      { ...image, buffer: await jpeg(1200, 800) },
      { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') }
    ])
    await page.locator('#images > li').first().waitFor()
    await page.locator('#others a', { hasText: 'plan.pdf' }).waitFor()
    const parts: number[] = await page.evaluate(() => Reflect.get(window, 'parts'))
    assert.ok(parts.includes(1), 'the progress reaches the end')
    const bytes = [...(await jpeg(300, 200))]
    await page.evaluate((data) => {
      const files = (name: string) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([new Uint8Array(data)], name, { type: 'image/jpeg' }))
        return transfer
      }
      document.body.dispatchEvent(
        new DragEvent('drop', {
          dataTransfer: files('dropped.jpg'),
          bubbles: true,
          cancelable: true
        })
      )
      document.body.dispatchEvent(
        new ClipboardEvent('paste', {
          clipboardData: files('pasted.jpg'),
          bubbles: true,
          cancelable: true
        })
      )
    }, bytes)
    await page.locator('#images > li').nth(2).waitFor()
    const names = await page.locator('#images .name').allTextContents()
    assert.deepEqual(names, [image.name, 'dropped.jpg', 'pasted.jpg'])
    await page.getByRole('button', { name: 'Move image 3 up' }).click()
    await page.locator('#images > li').first().getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await saved(page)
    const { title, images } = await stored(card.id)
    assert.deepEqual([title, images.length], ['Typed before', 2])
    assert.deepEqual(await page.locator('#images .name').allTextContents(), [
      'pasted.jpg',
      'dropped.jpg'
    ])
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('the preview follows the text, errors are beside their fields, unsaved text is kept', async () => {
    const card = await addCard('Texts')
    const { page, complaints } = await signIn()
    await page.goto(card.shortUrl)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByLabel('Description').fill('# Bridge\n\n*Steel*')
    await page.locator('#preview em', { hasText: 'Steel' }).waitFor()
    await page.getByLabel('URL', { exact: true }).fill('javascript:alert(1)')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('#error-url', { hasText: 'http://' }).waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'f-url')
    assert.equal(await page.getByLabel('URL', { exact: true }).getAttribute('aria-invalid'), 'true')
    page.on('dialog', (dialog) => dialog.accept())
    await page.reload()
    assert.equal(await page.getByLabel('Description').inputValue(), '# Bridge\n\n*Steel*')
    assert.match((await page.locator('#status').textContent()) ?? '', /restored/)
    await page.getByLabel('URL', { exact: true }).fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await saved(page)
    assert.equal((await stored(card.id)).description, '# Bridge\n\n*Steel*')
    assert.deepEqual(
      complaints.filter((one) => !one.includes('400')),
      []
    )
    await page.context().close()
  })

  test('another window is told of a change, and both versions are shown before one is overwritten', async () => {
    const card = await addCard('Shared')
    const { page, complaints } = await signIn()
    const looked = Promise.withResolvers<void>()
    const told = Promise.withResolvers<void>()
    // The page still waits for the answer to its first question when it is told of the change.
    await page.route(
      '**/-/revision',
      async (route) => {
        const response = await route.fetch()
        looked.resolve()
        await told.promise
        await route.fulfill({ response })
      },
      { times: 1 }
    )
    await page.goto(card.shortUrl)
    await looked.promise
    await page.getByLabel('Description').fill('Mine')
    const client = await page.context().newCDPSession(page)
    client.on('Network.eventSourceMessageReceived', () => told.resolve())
    await client.send('Network.enable')
    const { token } = board
    await siteOf(nonet).json(`/cards/${card.id}`, {
      method: 'PUT',
      token,
      body: { desc: 'Theirs' }
    })
    await page.locator('#changed').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'This card was changed meanwhile' }).waitFor()
    assert.equal(await page.getByText('Theirs', { exact: true }).count(), 1)
    assert.equal((await stored(card.id)).description, 'Theirs')
    await assertSoundInBothColours(
      { page, bytes: 0, complaints: complaints.filter((one) => !one.includes('409')) },
      'cards editor conflict'
    )
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByText('Saved.').waitFor()
    assert.equal((await stored(card.id)).description, 'Mine')
    await page.context().close()
  })

  test('without JavaScript: create, upload, preview, order, describe, remove, publish', async () => {
    const { page, complaints } = await signIn({}, false)
    await page.goto(`${nonet.cards.url}/b/${boardLink}/-/new`)
    await page.getByLabel('Title').fill('Plain')
    await page.getByLabel('URL', { exact: true }).fill('https://example.org/')
    await page.locator('#f-file').setInputFiles([
      { ...image, name: 'a.jpg', buffer: await jpeg(600, 400) },
      { ...image, name: 'b.jpg', buffer: await jpeg(400, 400) }
    ])
    await page.getByRole('button', { name: 'Create card' }).click()
    await page.getByText('The card is stored.').waitFor()
    const id = (await page.locator('#editor').getAttribute('data-card')) ?? ''
    await page.getByLabel('Description').fill('Some *text*')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.locator('#preview em', { hasText: 'text' }).waitFor()
    await page.getByRole('button', { name: 'Move image 2 up' }).click()
    await page.getByLabel('Describe it').first().fill('The second')
    await page.locator('#images > li').nth(1).getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Keep it' }).waitFor()
    await page.getByLabel('Published').check({ force: true })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const card = await stored(id)
    assert.deepEqual(
      [card.description, card.images.map((one: { alt: string }) => one.alt), card.list.id],
      ['Some *text*', ['The second'], board.published]
    )
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  for (const [shape, options] of Object.entries(SHAPES)) {
    test(`looks, ${shape}`, async () => {
      const site = siteOf(nonet)
      const card = await addCard('Museum of small things', board.published)
      const { token } = board
      const body = { desc: 'A room of **small things**.\n\n- one\n- two' }
      await site.json(`/cards/${card.id}`, { method: 'PUT', token, body })
      for (const [width, height] of [
        [1200, 800],
        [800, 800]
      ] as const) {
        await upload(site, { ...board, card: card.id }, await jpeg(width, height), {
          name: `Room ${width}.jpg`
        })
      }
      const checklist = await site.json('/checklists', {
        method: 'POST',
        token,
        body: { idCard: card.id, name: 'Opening' }
      })
      await site.json(`/checklists/${checklist.id}/checkItems`, {
        method: 'POST',
        token,
        body: { name: 'Lamps' }
      })
      await site.json(`/cards/${card.id}/actions/comments`, {
        method: 'POST',
        token,
        body: { text: 'Looks good' }
      })
      const watched = await signIn(options)
      const { page } = watched
      await page.goto(card.shortUrl)
      await page.getByRole('checkbox', { name: 'Lamps' }).click()
      await page.getByText('1 of 1').waitFor()
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.locator('#preview strong').waitFor()
      await assertSoundInBothColours(watched, `cards editor ${shape}`)
      await page.goto(`${nonet.cards.url}/b/${boardLink}/-/new`)
      await page.getByLabel('Title').waitFor()
      await assertSoundInBothColours(watched, `cards editor new ${shape}`)
      if (shape === 'desktop') await assertKeyboard(page)
      await page.context().close()
    })
  }
})

/** Fields of dates have several stops of their own, so that only names are compared. */
async function assertKeyboard(page: Page): Promise<void> {
  const reached = new Set<string>()
  await page.locator('body').focus()
  for (let count = 0; count < 60; count++) {
    await page.keyboard.press('Tab')
    reached.add(
      await page.evaluate(() => {
        const { activeElement: element } = document
        const label = element?.closest('.chip, .states label') ?? element
        const isShown = label !== null && getComputedStyle(label).outlineStyle !== 'none'
        return `${element?.getAttribute('name') ?? element?.id} ${isShown}`
      })
    )
  }
  for (const name of [
    'title',
    'description',
    'file',
    'state',
    'list',
    'labelName',
    'completed',
    'url',
    'slug',
    'save'
  ]) {
    if (name !== 'labelName')
      assert.ok(reached.has(`${name} true`), `${name} is reached: ${[...reached].join(', ')}`)
  }
}
