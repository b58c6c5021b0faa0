import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Response
} from 'playwright-core'
import { findDoubtfulTexts } from './text-contrast.ts'

/** With the search for texts, which runs in one step with axe: a live page may replace elements. */
const AXE = `${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')}
window.findDoubtfulTexts = ${findDoubtfulTexts}`
/** Without frames and blank pages, which are not checked. */
const AXE_OF_DOCUMENTS = `if (window === top && location.protocol !== 'about:') {${AXE}}`
/** Pages of which a document was checked. */
const withAxe = new WeakSet<Page>()
/** Folder for a screenshot of every page that is checked; none are taken by default. */
const PICTURES = process.env.NONET_TEST_PICTURES
/** Time for one step of a page; Playwright's 30 s are too short for a throttled machine. */
const STEP_TIMEOUT_MS = 120_000
/** Bytes of a page, with its style and its script, without pictures. */
const MAX_PAGE_BYTES = 60 * 1024
/** The console shows the whole OpenAPI document of a service there. */
const OPENAPI_VIEW = /^\/api\/[a-z]+$/
const DESKTOP_WIDTH = 1280
const TABLET_WIDTH = 768
const PHONE_WIDTH = 360

/** A connection to the browser of the whole run; closing it closes only its own contexts. */
export async function openBrowser(): Promise<Browser> {
  const server = process.env.NONET_CHROMIUM_SERVER
  assert.ok(server, 'NONET_CHROMIUM_SERVER is set by npm test')
  return chromium.connect(server)
}

export const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  'desktop light': { viewport: { width: DESKTOP_WIDTH, height: 900 }, colorScheme: 'light' },
  'desktop dark': { viewport: { width: DESKTOP_WIDTH, height: 900 }, colorScheme: 'dark' },
  'phone light': {
    viewport: { width: PHONE_WIDTH, height: 700 },
    colorScheme: 'light',
    isMobile: true
  },
  'phone dark': {
    viewport: { width: PHONE_WIDTH, height: 700 },
    colorScheme: 'dark',
    isMobile: true
  }
}

/** For pages whose colours depend only on the style sheet: opened once for both schemes. */
export const SHAPES: Readonly<Record<string, BrowserContextOptions>> = {
  desktop: LOOKS['desktop light'] ?? {},
  phone: LOOKS['phone light'] ?? {}
}

interface Watched {
  page: Page
  /** Console errors, failed requests and requests to other hosts so far. */
  complaints: string[]
  /** Size of the document that is shown. */
  bytes: number
}

/** Opens a page with all other hosts blocked, and records what developer tools would show. */
export async function visit(
  browser: Browser,
  url: string,
  look: BrowserContextOptions,
  javaScriptEnabled = true,
  status = 200
): Promise<Watched> {
  const context = await browser.newContext({ ...look, javaScriptEnabled })
  context.setDefaultTimeout(STEP_TIMEOUT_MS)
  const { hostname } = new URL(url)
  // With a function each request would wait for this process.
  const own = hostname.replaceAll(/[.[\]]/g, '\\$&')
  const others = new RegExp(`^https?://(?!${own}(?:[:/]|$))`)
  await context.route(others, (route) => route.abort())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('requestfailed', (request) => {
    // A request that the page itself aborted has not failed.
    if (request.failure()?.errorText === 'net::ERR_ABORTED') return
    complaints.push(`failed: ${request.url()}`)
  })
  page.on('request', (request) => {
    const target = new URL(request.url())
    if (target.protocol.startsWith('http') && target.hostname !== hostname) {
      complaints.push(`foreign request: ${request.url()}`)
    }
  })
  return { page, complaints, bytes: await sizeOf(await page.goto(url), url, status) }
}

async function sizeOf(answer: Response | null, url: string, status: number): Promise<number> {
  assert.equal(answer?.status(), status, url)
  return (await answer?.body())?.length ?? 0
}

/**
 * Shows URLs of one host in one page for each look, for checks that change nothing: the process of
 * the page keeps the compiled rules, which take 0.3 s to load in a new one.
 */
export function sharePages(
  browser: () => Browser,
  status = 200
): (look: BrowserContextOptions, url: string) => Promise<Watched> {
  const opened = new Map<BrowserContextOptions, Watched>()
  return async (look, url) => {
    const watched = opened.get(look)
    if (watched === undefined) {
      const first = await visit(browser(), url, look, true, status)
      opened.set(look, first)
      return first
    }
    // Requests of the page before end here, so that they are not reported for the next.
    await watched.page.goto('about:blank')
    watched.complaints.length = 0
    watched.bytes = await sizeOf(await watched.page.goto(url), url, status)
    return watched
  }
}

/**
 * Rules for every page of the product, in every look. Only the contrast of colours is checked in a
 * dark look whose light look is checked too: the other rules of axe have the same result there.
 */
export async function assertSoundPage(
  watched: Watched,
  name: string,
  rules: 'all' | 'contrast' = 'all'
): Promise<void> {
  const { page, complaints, bytes } = watched
  assert.deepEqual(complaints, [], `${name}: developer tools`)
  assert.deepEqual(await seriousViolations(page, rules), [], `${name}: axe`)
  const isLimited = !OPENAPI_VIEW.test(new URL(page.url()).pathname)
  assert.ok(!isLimited || bytes <= MAX_PAGE_BYTES, `${name}: the page has ${bytes} bytes`)
  await assertFits(page, name)
  assert.equal(await page.locator('h1').count(), 1, `${name}: one main heading`)
  if (PICTURES === undefined) return
  mkdirSync(PICTURES, { recursive: true })
  await page.screenshot({
    path: join(PICTURES, `${name.replaceAll(' ', '-')}.png`),
    fullPage: true
  })
}

/** A page never scrolls sideways, and its tables never split a word; both depend on the width. */
async function assertFits(page: Page, name: string): Promise<void> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth
  )
  assert.ok(overflow <= 0, `${name}: the page scrolls sideways by ${overflow} px`)
  assert.deepEqual(await page.evaluate(findSplitCells), [], `${name}: words are split`)
}

/** Texts of table cells that have more lines than words; runs in the page. */
function findSplitCells(): string[] {
  const texts: string[] = []
  for (const cell of document.querySelectorAll('td, th')) {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.nodeValue?.trim() ?? ''
      if (text === '') continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      if (lines.size > text.split(/\s+/).length) texts.push(text)
    }
  }
  return texts
}

async function assertFitsTablet({ page }: Watched, name: string): Promise<void> {
  const shown = page.viewportSize()
  if (shown?.width !== DESKTOP_WIDTH) return
  await page.setViewportSize({ ...shown, width: TABLET_WIDTH })
  await assertFits(page, `${name} ${TABLET_WIDTH} px`)
  await page.setViewportSize(shown)
}

/** Opens the question of a button that destroys something, and confirms it. */
export async function confirm(
  container: Page | Locator,
  label: string,
  button: string
): Promise<void> {
  await container.locator('summary').getByText(label, { exact: true }).click()
  await container.getByRole('button', { name: button, exact: true }).click()
}

export async function assertSoundInBothColours(watched: Watched, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await watched.page.emulateMedia({ colorScheme })
    const isWanted = (scheme: string) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches
    assert.ok(await watched.page.evaluate(isWanted, colorScheme))
    await assertSoundPage(watched, `${name} ${colorScheme}`, rulesFor(colorScheme))
  }
  await assertFitsTablet(watched, name)
}

export function rulesFor(colorScheme: BrowserContextOptions['colorScheme']): 'all' | 'contrast' {
  return colorScheme === 'dark' ? 'contrast' : 'all'
}

async function seriousViolations(page: Page, rules: 'all' | 'contrast'): Promise<string[]> {
  const found = rules === 'all' ? await runAxe(page, 'all but contrast') : []
  const doubtful = await page.evaluateHandle(findDoubtfulTexts)
  const hasDoubtful = await doubtful.evaluate(({ length }) => length > 0)
  return hasDoubtful ? [...found, ...(await runAxe(page, 'contrast'))] : found
}

/** The policy of a page allows no script, so axe is injected through the debugger. */
async function loadAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => Reflect.has(window, 'axe'))) return
  // From the second document on the browser keeps the text, which takes 50 ms to send.
  if (withAxe.has(page)) await page.addInitScript(AXE_OF_DOCUMENTS)
  withAxe.add(page)
  await page.evaluate(AXE)
}

/** All serious rules except that of contrast, or that of contrast on doubtful texts. */
async function runAxe(page: Page, rules: 'all but contrast' | 'contrast'): Promise<string[]> {
  await loadAxe(page)
  return page.evaluate(async (wanted) => {
    const axe = Reflect.get(window, 'axe')
    const elements = wanted === 'contrast' ? Reflect.get(window, 'findDoubtfulTexts')() : undefined
    if (elements?.length === 0) return []
    // The impact of a violation is that of its rule; rules of less impact take a quarter of the time.
    const isSerious = ({ impact }: { impact: string }) =>
      impact === 'serious' || impact === 'critical'
    const { rules: all, tagExclude } = axe._audit
    const serious = all
      .filter((rule: { impact: string; enabled: boolean; tags: string[] }) => {
        return isSerious(rule) && rule.enabled && !rule.tags.some((tag) => tagExclude.includes(tag))
      })
      .map(({ id }: { id: string }) => id)
      .filter((id: string) => id !== 'color-contrast')
    const { violations } = await axe.run(elements ?? document, {
      // Otherwise all passed checks would be listed too, which takes longer than the checks.
      resultTypes: ['violations'],
      preload: false,
      // A frame with a document of a user has another origin, to which axe cannot send messages.
      iframes: false,
      runOnly: elements === undefined ? serious : ['color-contrast']
    })
    return violations
      .filter(isSerious)
      .map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes[0]?.html}`)
  }, rules)
}

/** Of a group of radio buttons only one is reachable by Tab. */
const FOCUSABLE =
  'a[href], button, input:not([type="radio"]:not(:checked)), select, summary, textarea, [tabindex="0"]'

/** Every link and control must be reachable by Tab, in document order, and visibly focused. */
export async function assertKeyboardWalk({ page }: Watched, name: string): Promise<void> {
  const wanted = await page
    .locator(FOCUSABLE)
    .evaluateAll((elements) => elements.filter((element) => element.checkVisibility()).length)
  await page.evaluate(() => {
    const all = [...document.querySelectorAll('*')]
    const focused: object[] = []
    Reflect.set(window, 'focusedElements', focused)
    document.addEventListener('focusin', ({ target }) => {
      const element = target as Element
      const { outlineStyle } = getComputedStyle(element)
      focused.push({ index: all.indexOf(element), outlined: outlineStyle !== 'none' })
    })
  })
  for (let i = 0; i < wanted; i++) await page.keyboard.press('Tab')
  const focused: { index: number; outlined: boolean }[] = await page.evaluate(() =>
    Reflect.get(window, 'focusedElements')
  )
  assert.equal(focused.length, wanted, `${name}: each Tab focuses an element of the page`)
  for (const [i, { outlined }] of focused.entries()) {
    assert.ok(outlined, `${name}: Tab ${i + 1} focuses an element without a focus ring`)
  }
  const reached = new Set(focused.map(({ index }) => index))
  assert.equal(reached.size, wanted, `${name}: Tab reaches everything once`)
}
