/** Runs the commands of docs/tutorial.md and takes pictures of the pages that it describes. */
import { execFile } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { insertUrls, type RunningUrl } from '../../src/console/docs/running-urls.ts'
import { SERVICE_NAMES, type ServiceName } from '../../src/host/service-names.ts'
import { type Nonet, start } from '../../src/host/start.ts'

const TUTORIAL = join(import.meta.dirname, '../../docs/tutorial.md')
const VIEWPORT = { width: 1120, height: 640 }
/** The colours of a page fit a palette, which makes the files a third as large. */
const COLOURS = 128
const MAX_BYTES = 60_000
const DOCUMENTED_BASE = 4000
const DOCUMENTED_SMTP = 4025
const STEP_TIMEOUT_MS = 30_000

interface TutorialPage {
  of: 'console' | ServiceName
  path: string
  /** Of the picture, if it needs more than the others. */
  height?: number
  /** What the reader does there. */
  act?: (page: Page) => Promise<unknown>
}

const PAGES: Readonly<Record<string, TutorialPage>> = {
  reference: {
    of: 'reference',
    path: '/api/people/?homeworld=5&height__gte=180&ordering=-height'
  },
  boxes: { of: 'boxes', path: '/?box=tutorial-box' },
  countries: {
    of: 'countries',
    path: '/',
    act: async (page) => {
      await page.locator('.graphiql-query-editor .cm-property').first().waitFor()
      await page.locator('.graphiql-execute-button').click()
      await page.locator('.result-window .cm-property').first().waitFor()
    }
  },
  scenarios: { of: 'scenarios', path: '/' },
  forms: { of: 'console', path: '/forms/' },
  mailbox: {
    of: 'mailbox',
    path: '/',
    act: async (page) => {
      await page.getByText('Your order is on its way').first().click()
      await page.waitForURL('**/sandbox/messages/*')
    }
  },
  statuses: { of: 'statuses', path: '/' },
  mock: { of: 'mock', path: '/__nonet/violations' },
  cards: {
    of: 'console',
    path: '/',
    act: async (page) => {
      await page.getByRole('link', { name: 'Open cards' }).first().click()
      await page
        .getByRole('link', { name: /portfolio/i })
        .first()
        .click()
      await page.waitForURL('**/b/**')
    }
  },
  console: { of: 'console', path: '/', height: 830 }
}

export async function takeTutorial(
  browser: Browser,
  folder: string,
  portBase: number
): Promise<void> {
  await using nonet = await start({ portBase })
  await runCommands(nonet)
  for (const [name, tutorialPage] of Object.entries(PAGES)) {
    await take(browser, nonet, tutorialPage, join(folder, `tutorial-${name}.png`))
  }
}

/** In the order of the text, except the start. */
async function runCommands(nonet: Nonet): Promise<void> {
  const running = runningUrls(nonet)
  const text = readFileSync(TUTORIAL, 'utf8')
  for (const [, command = ''] of text.matchAll(/^```sh\n(.*?)^```$/gms)) {
    if (command.startsWith('npm start')) continue
    await promisify(execFile)('bash', ['-c', insertUrls(command, '', running)])
  }
}

/** The documented port of a service is its position in the list of all. */
function runningUrls(nonet: Nonet): RunningUrl[] {
  const urls = [
    [DOCUMENTED_BASE, nonet.console?.url ?? ''],
    [DOCUMENTED_SMTP, `http://127.0.0.1:${nonet.mailbox.ports.smtp?.port}`],
    ...SERVICE_NAMES.map((name, index) => [DOCUMENTED_BASE + index + 1, nonet[name].url] as const)
  ] as const
  return urls.map(([documentedPort, url]) => ({ documentedPort, url, localUrl: url }))
}

/** Images below the picture may never load; runs in the page. */
function areImagesShown(): boolean {
  return [...document.images]
    .filter((image) => image.getBoundingClientRect().top < innerHeight)
    .every(({ complete }) => complete)
}

async function take(
  browser: Browser,
  nonet: Nonet,
  { of, path, height = VIEWPORT.height, act }: TutorialPage,
  file: string
): Promise<void> {
  const context = await browser.newContext({
    viewport: { ...VIEWPORT, height },
    colorScheme: 'light',
    reducedMotion: 'reduce'
  })
  context.setDefaultTimeout(STEP_TIMEOUT_MS)
  const page = await context.newPage()
  await page.goto((of === 'console' ? nonet.console?.url : nonet[of].url) + path)
  await act?.(page)
  await page.waitForLoadState('load')
  await page.waitForFunction(areImagesShown)
  const picture = sharp(await page.screenshot())
  writeFileSync(file, await picture.png({ palette: true, colours: COLOURS, effort: 10 }).toBuffer())
  await context.close()
  const { size } = statSync(file)
  console.log(`${file}: ${Math.round(size / 1000)} KB`)
  if (size <= MAX_BYTES) return
  console.error(`${file} is larger than ${MAX_BYTES / 1000} KB`)
  process.exitCode = 1
}
