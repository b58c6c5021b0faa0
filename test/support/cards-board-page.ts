/** Steps of a user on the pages of cards, in a browser. */
import assert from 'node:assert/strict'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Nonet } from '../../src/host/start.ts'
import { visit } from './browser.ts'

type Watched = Awaited<ReturnType<typeof visit>>

/** Opens the console and follows its link to cards. */
export async function openFromConsole(
  browser: Browser,
  nonet: Nonet<'cards'>,
  look: BrowserContextOptions = {},
  hasScripts = true
): Promise<Watched> {
  const watched = await visit(browser, `${nonet.console?.url}/`, look, hasScripts)
  await watched.page.getByRole('link', { name: 'Open cards' }).click()
  await watched.page.waitForURL(`${nonet.cards.url}/`)
  return watched
}

export async function pasteToken(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export async function signInWithToken(
  browser: Browser,
  url: string,
  token: string,
  look: BrowserContextOptions = {},
  hasScripts = true
): Promise<Watched> {
  const watched = await visit(browser, `${url}/sign-in`, look, hasScripts)
  await pasteToken(watched.page, token)
  await watched.page.getByRole('button', { name: 'Sign out' }).waitFor()
  return watched
}

/** A list of the board. */
export function lane(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true })
}

/** A card of the board. */
export function tile(page: Page, name: string): Locator {
  return page.locator('.board .project', { has: page.getByRole('heading', { name, exact: true }) })
}

export async function namesIn(page: Page, list: string): Promise<string[]> {
  // A click waits until the next page begins, not until it is complete.
  await page.waitForLoadState()
  return lane(page, list).locator('h3').allTextContents()
}

/** Waits until a list shows these cards. */
export async function shows(page: Page, list: string, wanted: readonly string[]): Promise<void> {
  await page
    .waitForFunction(
      ([label, names]) => {
        const found = [...document.querySelectorAll('.lane')].find(
          (one) => one.querySelector('h2')?.textContent === label
        )
        const shown = [...(found?.querySelectorAll('.project:not([hidden]) h3') ?? [])]
        return found !== undefined && shown.map((one) => one.textContent).join() === names
      },
      [list, wanted.join()] as const,
      { timeout: 60_000 }
    )
    .catch(async () => assert.deepEqual(await namesIn(page, list), wanted))
}

export async function drag(
  page: Page,
  from: Locator,
  to: Locator,
  at: 'above' | 'below'
): Promise<void> {
  // Before its script runs, the board does not follow the mouse.
  await page.locator('#board-page.live').waitFor()
  const start = await from.boundingBox()
  const end = await to.boundingBox()
  assert.ok(start && end)
  await page.mouse.move(start.x + start.width / 2, start.y + 12)
  await page.mouse.down()
  const y = at === 'above' ? end.y + 4 : end.y + end.height - 4
  await page.mouse.move(end.x + end.width / 3, y, { steps: 8 })
  await page.mouse.up()
}

export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Presses a button in the menu of a card. */
export async function choose(page: Page, card: string, button: string): Promise<void> {
  await tile(page, card).locator('summary').click()
  await tile(page, card).getByRole('button', { name: button, exact: true }).click()
}
