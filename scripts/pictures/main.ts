/**
 * Takes a picture of every page in both themes and two widths, for people to look at, of the
 * console for README, and of what the reader of the tutorial sees. `--port-base N` moves the ports
 * that the pages show; `--only tutorial` leaves out the rest.
 */
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../test/support/browser.ts'
import { SAMPLE_PAGES, type SamplePage, startWithSamples } from '../../test/support/pages.ts'
import { takeTutorial } from './tutorial.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Not in the repository. */
const ALL = join(ROOT, 'pictures')
const README = join(ROOT, 'docs', 'pictures')
const README_PAGE = 'console'
const HEIGHT = 800
const README_MAX_BYTES = 150_000
const THEMES = ['light', 'dark'] as const
const WIDTHS = [1280, 390]

type Theme = (typeof THEMES)[number]

const { values } = parseArgs({
  options: {
    'port-base': { type: 'string', default: '4000' },
    only: { type: 'string', default: '' }
  }
})
const portBase = Number(values['port-base'])
const browser = await openBrowser()
mkdirSync(README, { recursive: true })
try {
  if (values.only !== 'tutorial') await takeSamples()
  await takeTutorial(browser, README, portBase)
} finally {
  await browser.close()
}

async function takeSamples(): Promise<void> {
  rmSync(ALL, { recursive: true, force: true })
  mkdirSync(ALL, { recursive: true })
  const { nonet, urlOf } = await startWithSamples(portBase)
  try {
    for (const page of SAMPLE_PAGES) await takeAll(page, urlOf(page))
  } finally {
    await nonet.stop()
  }
}

async function takeAll(page: SamplePage, url: string): Promise<void> {
  const { status } = await fetch(url, { headers: { accept: 'text/html' } })
  if (status !== 200) {
    console.log(`${page.name}: left out, ${url} responds with ${status}`)
    process.exitCode = 1
    return
  }
  for (const theme of THEMES) {
    for (const width of WIDTHS) await take(page, url, theme, width)
  }
}

async function take(page: SamplePage, url: string, theme: Theme, width: number): Promise<void> {
  const opened = await open(page, url, theme, width)
  const file = `${page.name.replaceAll(' ', '-')}-${width}-${theme}.png`
  await opened.screenshot({ path: join(ALL, file), fullPage: true })
  if (page.name === README_PAGE && width === WIDTHS[0]) await takeForReadme(opened, theme)
  await opened.context().close()
}

async function open(
  sample: SamplePage,
  url: string,
  colorScheme: Theme,
  width: number
): Promise<Page> {
  const viewport = { width, height: HEIGHT }
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(url)
  if (sample.ready !== undefined) await page.locator(sample.ready).first().waitFor()
  return page
}

async function takeForReadme(page: Page, theme: Theme): Promise<void> {
  const file = join(README, `console-${theme}.png`)
  await page.screenshot({ path: file })
  const { size } = statSync(file)
  console.log(`${relative(ROOT, file)}: ${Math.round(size / 1000)} KB`)
  if (size > README_MAX_BYTES) {
    console.error(`${relative(ROOT, file)} is larger than ${README_MAX_BYTES / 1000} KB`)
    process.exitCode = 1
  }
}
