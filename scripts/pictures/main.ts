/**
 * Takes a picture of every page in both themes and two widths, for people to look at, and of the
 * console for README. `--port-base N` moves the ports that the pages show.
 */
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../test/support/browser.ts'
import { SAMPLE_PAGES, type SamplePage, startWithSamples } from '../../test/support/pages.ts'

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

const { values } = parseArgs({ options: { 'port-base': { type: 'string', default: '4000' } } })
const { nonet, urlOf } = await startWithSamples(Number(values['port-base']))
const browser = await openBrowser()
rmSync(ALL, { recursive: true, force: true })
for (const folder of [ALL, README]) mkdirSync(folder, { recursive: true })
try {
  for (const page of SAMPLE_PAGES) await takeAll(page)
} finally {
  await browser.close()
  await nonet.stop()
}

async function takeAll(page: SamplePage): Promise<void> {
  const url = urlOf(page)
  const { status } = await fetch(url, { headers: { accept: 'text/html' } })
  if (status !== 200) {
    console.log(`${page.name}: left out, ${url} responds with ${status}`)
    process.exitCode = 1
    return
  }
  for (const theme of THEMES) {
    for (const width of WIDTHS) await take(page, theme, width)
  }
}

async function take(page: SamplePage, theme: Theme, width: number): Promise<void> {
  const opened = await open(page, theme, width)
  const file = `${page.name.replaceAll(' ', '-')}-${width}-${theme}.png`
  await opened.screenshot({ path: join(ALL, file), fullPage: true })
  if (page.name === README_PAGE && width === WIDTHS[0]) await takeForReadme(opened, theme)
  await opened.context().close()
}

async function open(sample: SamplePage, colorScheme: Theme, width: number): Promise<Page> {
  const viewport = { width, height: HEIGHT }
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(urlOf(sample))
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
