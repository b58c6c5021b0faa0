/** The board page in a real browser: what a member does with cards, in one window and in two. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import { type CardsJson, type Site, siteOf } from '../contract/cards-site.ts'
import { pixel } from '../contract/statuses-site.ts'
import {
  assertKeyboardWalk,
  assertSoundInBothColours,
  LOOKS,
  openBrowser
} from '../support/browser.ts'
import {
  choose,
  drag,
  lane,
  namesIn,
  press,
  shows,
  signInWithToken,
  tile
} from '../support/cards-board-page.ts'

const DESKTOP = LOOKS['desktop light'] ?? {}
const PHONE: BrowserContextOptions = { ...LOOKS['phone light'], hasTouch: true }

describe('the board page in a real browser', () => {
  let browser: Browser
  let nonet: Nonet<'cards'>
  let site: Site
  let token: string
  before(async () => {
    nonet = await start({ services: ['cards'] })
    site = siteOf(nonet)
    token = await site.member('ada')
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await nonet.stop()
  })

  const api = (method: string, path: string, body?: object): Promise<CardsJson> =>
    site.json(path, { method, token, body })

  /** Draft with One, Two and Three, Published with Four; `path` is that of the page. */
  async function newBoard() {
    const board = await api('POST', '/boards', { name: 'Projects', defaultLists: false })
    const list = async (name: string) =>
      (await api('POST', '/lists', { name, idBoard: board.id, pos: 'bottom' })).id
    const lists = [await list('Draft'), await list('Published')]
    const card = (name: string, idList: string) => api('POST', '/cards', { name, idList })
    const cards: CardsJson[] = []
    for (const name of ['One', 'Two', 'Three']) cards.push(await card(name, lists[0]))
    cards.push(await card('Four', lists[1]))
    return { id: board.id, lists, cards, path: new URL(board.url).pathname }
  }

  async function signIn(path: string, look = DESKTOP, hasScript = true) {
    const watched = await signInWithToken(browser, site.url, token, look, hasScript)
    await watched.page.goto(site.url + path)
    return watched
  }

  const storedIn = async (list: string): Promise<string[]> =>
    (await api('GET', `/lists/${list}/cards`)).map(({ name }: CardsJson) => name)

  async function stored(list: string, wanted: string[]): Promise<void> {
    for (let round = 0; round < 1_000; round++) {
      if ((await storedIn(list)).join() === wanted.join()) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    assert.deepEqual(await storedIn(list), wanted)
  }

  test('cards and lists are dragged with the mouse, stay after a reload, and are undone', async () => {
    const { lists, path } = await newBoard()
    const { page, complaints } = await signIn(path)
    await drag(page, tile(page, 'One'), tile(page, 'Four'), 'above')
    await shows(page, 'Published', ['One', 'Four'])
    await stored(lists[1], ['One', 'Four'])
    await drag(page, tile(page, 'Three'), tile(page, 'Two'), 'above')
    await shows(page, 'Draft', ['Three', 'Two'])
    await stored(lists[0], ['Three', 'Two'])
    await page.reload()
    assert.deepEqual(await namesIn(page, 'Published'), ['One', 'Four'])
    await page.getByText('“Three” was moved to Draft.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await shows(page, 'Draft', ['Two', 'Three'])
    await stored(lists[0], ['Two', 'Three'])
    const moved = page.waitForResponse(/\/lists\/\w+\/move/)
    await drag(
      page,
      lane(page, 'Published').locator('header'),
      lane(page, 'Draft').locator('header'),
      'above'
    )
    await page.waitForFunction(
      () => document.querySelector('.lane h2')?.textContent === 'Published'
    )
    await moved
    await page.reload()
    assert.deepEqual(await page.locator('.lane h2').allTextContents(), ['Published', 'Draft'])
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a long list stays where it is scrolled while its cards leave and move', async () => {
    const { lists, path } = await newBoard()
    for (let number = 0; number < 16; number++) {
      await api('POST', '/cards', { name: `More ${number}`, idList: lists[0] })
    }
    const { page } = await signIn(path)
    const list = page.locator('.lane ul').first()
    const scrolled = () => list.evaluate((element) => Math.round(element.scrollTop))
    await tile(page, 'Three').locator('summary').click()
    // The card that leaves is the first visible one.
    await tile(page, 'Three').evaluate((card) => {
      const top = card.parentElement?.getBoundingClientRect().top ?? 0
      card.parentElement?.scrollBy(0, 20 + card.getBoundingClientRect().top - top)
    })
    await tile(page, 'Three').getByRole('button', { name: 'Publish', exact: true }).click()
    await shows(page, 'Published', ['Four', 'Three'])
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Three')
    const left = await scrolled()
    const cards = await api('GET', `/lists/${lists[0]}/cards`)
    await api('PUT', `/cards/${cards[2].id}`, { pos: 'bottom' })
    await lane(page, 'Draft').locator('.project:last-child h3', { hasText: 'More 0' }).waitFor()
    const positions = [left, await scrolled()]
    assert.ok(
      positions.every((one) => one > 20 && one < 320),
      positions.join()
    )
    await page.context().close()
  })

  test('the keyboard moves a card, says where it is, and Escape returns it', async () => {
    const { lists, path } = await newBoard()
    const { page, complaints } = await signIn(path)
    const status = page.locator('#board-status')
    await tile(page, 'One').getByRole('link').focus()
    await press(page, 'ArrowDown', 'ArrowUp', 'Space', 'ArrowDown', 'ArrowRight')
    assert.match((await status.textContent()) ?? '', /Published, position 2 of 2/)
    await press(page, 'Escape')
    assert.deepEqual(await namesIn(page, 'Draft'), ['One', 'Two', 'Three'])
    assert.match((await status.textContent()) ?? '', /One is where it was/)
    await press(page, 'Space', 'ArrowRight', 'Space')
    await stored(lists[1], ['One', 'Four'])
    await shows(page, 'Published', ['One', 'Four'])
    await page.getByText('“One” was moved to Published.').waitFor()
    const focused = await page.evaluate(() => document.activeElement?.textContent)
    assert.equal(focused, 'One')
    await press(page, 'Space', 'ArrowDown', 'Enter')
    await stored(lists[1], ['Four', 'One'])
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('two windows see each other; a card that is lifted stays in the hand', async () => {
    const { lists, cards, path } = await newBoard()
    const one = await signIn(path)
    const other = await signIn(path)
    await one.page.getByLabel('Name of a new card in Draft').fill('Being typed')
    await other.page.getByLabel('Name of a new card in Draft').fill('Five')
    await other.page.keyboard.press('Enter')
    await shows(one.page, 'Draft', ['One', 'Two', 'Three', 'Five'])
    assert.equal(
      await one.page.getByLabel('Name of a new card in Draft').inputValue(),
      'Being typed'
    )
    await tile(one.page, 'Two').getByRole('link').focus()
    await one.page.keyboard.press('Space')
    await one.page.keyboard.press('ArrowRight')
    await api('PUT', `/cards/${cards[0].id}`, { idList: lists[1] })
    await shows(other.page, 'Draft', ['Two', 'Three', 'Five'])
    await one.page.waitForTimeout(300)
    assert.deepEqual(await namesIn(one.page, 'Published'), ['Four', 'Two'])
    await one.page.keyboard.press('Space')
    await stored(lists[1], ['Four', 'Two', 'One'])
    await shows(one.page, 'Published', ['Four', 'Two', 'One'])
    await shows(other.page, 'Published', ['Four', 'Two', 'One'])
    assert.deepEqual([...one.complaints, ...other.complaints], [])
    await one.page.context().close()
    await other.page.context().close()
  })

  test('a conflict is said and nothing is overwritten; without a connection the card returns', async () => {
    const { lists, cards, path } = await newBoard()
    const { page } = await signIn(path)
    await tile(page, 'Two').getByRole('link').focus()
    await page.keyboard.press('Space')
    await api('PUT', `/cards/${cards[1].id}`, { name: 'Two, renamed' })
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await page.getByText('Meanwhile “Two, renamed” was changed by ada').waitFor()
    await shows(page, 'Draft', ['One', 'Two, renamed', 'Three'])
    assert.deepEqual(await storedIn(lists[0]), ['One', 'Two, renamed', 'Three'])
    await page.route('**/cards/move*', (route) => route.abort())
    await drag(page, tile(page, 'One'), tile(page, 'Four'), 'below')
    await page.getByText('Not saved: the service cannot be reached').waitFor()
    await shows(page, 'Draft', ['One', 'Two, renamed', 'Three'])
    await page.context().close()
  })

  test('the filter selects by words and by label, and is part of the URL', async () => {
    const { id, cards, path } = await newBoard()
    const label = await api('POST', '/labels', { name: 'city', color: 'sky', idBoard: id })
    await api('PUT', `/cards/${cards[2].id}`, { idLabels: label.id })
    const { page, complaints } = await signIn(path)
    await page.getByLabel('Find a card').fill('tW')
    await shows(page, 'Draft', ['Two'])
    await page.waitForURL(/\?q=tW$/)
    await page.getByText('1 of 3').waitFor()
    await page.getByLabel('Find a card').fill('')
    await shows(page, 'Draft', ['One', 'Two', 'Three'])
    await page.getByLabel('Label', { exact: true }).selectOption('city')
    await shows(page, 'Draft', ['Three'])
    await page.waitForURL(/\?label=/)
    await page.reload()
    assert.deepEqual(await namesIn(page, 'Draft'), ['Three'])
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a finger holds and drags a card on a phone, and every action is in its menu', async () => {
    const { lists, path } = await newBoard()
    const { page, complaints } = await signIn(path, PHONE)
    const client = await page.context().newCDPSession(page)
    const touch = (type: string, x: number, y: number) =>
      client.send('Input.dispatchTouchEvent', {
        type: type as 'touchStart',
        touchPoints: type === 'touchEnd' ? [] : [{ x, y }]
      })
    const one = await tile(page, 'One').boundingBox()
    const three = await tile(page, 'Three').boundingBox()
    assert.ok(one && three)
    const [x, y] = [one.x + 60, one.y + one.height / 2]
    const end = three.y + three.height - 4
    await touch('touchStart', x, y)
    await page.locator('.ghost').waitFor()
    for (let step = 1; step <= 8; step++) await touch('touchMove', x, y + ((end - y) * step) / 8)
    await touch('touchEnd', x, end)
    await stored(lists[0], ['Two', 'Three', 'One'])
    await tile(page, 'Two').locator('summary').tap()
    await tile(page, 'Two').getByRole('button', { name: 'Publish' }).tap()
    await stored(lists[1], ['Four', 'Two'])
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('all of it works without JavaScript', async () => {
    const { lists, path } = await newBoard()
    const { page, complaints } = await signIn(path, DESKTOP, false)
    await choose(page, 'One', 'Down')
    assert.deepEqual(await storedIn(lists[0]), ['Two', 'One', 'Three'])
    await choose(page, 'Three', 'Up')
    assert.deepEqual(await namesIn(page, 'Draft'), ['Two', 'Three', 'One'])
    await tile(page, 'Two').locator('summary').click()
    await tile(page, 'Two').getByLabel('Move to').selectOption('Published')
    await tile(page, 'Two').getByRole('button', { name: 'Move', exact: true }).click()
    assert.deepEqual(await namesIn(page, 'Published'), ['Four', 'Two'])
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.deepEqual(await namesIn(page, 'Draft'), ['Two', 'Three', 'One'])
    await choose(page, 'One', 'Publish')
    await choose(page, 'One', 'Unpublish')
    assert.deepEqual(await namesIn(page, 'Draft'), ['Two', 'Three', 'One'])
    await page.getByLabel('Name of a new card in Draft').fill('Five')
    await lane(page, 'Draft').getByRole('button', { name: 'Add' }).click()
    assert.deepEqual(await namesIn(page, 'Draft'), ['Two', 'Three', 'One', 'Five'])
    await choose(page, 'Two', 'Archive')
    await page.getByRole('link', { name: 'Show' }).click()
    assert.deepEqual(await namesIn(page, 'Archived cards'), ['Two'])
    await choose(page, 'Two', 'Restore')
    await tile(page, 'Three').locator('summary').click()
    await tile(page, 'Three').getByRole('link', { name: 'Delete…' }).click()
    await page.getByRole('heading', { name: 'Delete this card?' }).waitFor()
    assert.equal((await storedIn(lists[0])).includes('Three'), true)
    await page.getByRole('button', { name: 'Delete the card' }).click()
    await page.getByText('“Three” was deleted.').waitFor()
    assert.equal((await storedIn(lists[0])).includes('Three'), false)
    await page.reload()
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.equal((await storedIn(lists[0])).includes('Three'), true)
    await page.getByLabel('Find a card').fill('fi')
    await page.getByRole('button', { name: 'Find' }).click()
    assert.deepEqual(await namesIn(page, 'Draft'), ['Five'])
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  for (const [shape, look] of [
    ['desktop', DESKTOP],
    ['phone', PHONE]
  ] as const) {
    test(`the page is sound in both themes, ${shape}`, async () => {
      const { cards, path } = await newBoard()
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(pixel(90))]), 'a.png')
      await site.json(`/cards/${cards[1].id}/attachments`, { method: 'POST', token, body: form })
      await api('PUT', `/cards/${cards[2].id}`, { closed: true })
      const watched = await signIn(path, look)
      await watched.page.getByText('Archived cards').waitFor()
      if (shape === 'desktop') await assertKeyboardWalk(watched, 'board')
      await tile(watched.page, 'Two').locator('summary').click()
      await assertSoundInBothColours(watched, `cards board ${shape}`)
      await watched.page.goto(`${site.url}/b/PrtFl1o9/portfolio?archive=show`)
      await watched.page.locator('#board .cover').first().waitFor()
      await assertSoundInBothColours(watched, `cards sample board ${shape}`)
      await watched.page.context().close()
    })
  }
})
