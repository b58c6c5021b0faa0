import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import {
  assertKeyboardWalk,
  assertSoundInBothColours,
  assertSoundPage,
  confirm,
  LOOKS,
  openBrowser,
  rulesFor,
  SHAPES,
  sharePages,
  visit
} from '../support/browser.ts'

const AsyncFunction = (async () => undefined).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<unknown>

describe('the pages of scenarios in a real browser', () => {
  let browser: Browser
  let nonet: Nonet<'scenarios'>
  before(async () => {
    nonet = await start({ services: ['scenarios'], console: true })
    browser = await openBrowser()
    const home = `${nonet.scenarios.url}/w/ada/api`
    await fetch(`${home}/users?scenario=flaky:1/1&search=<script>alert(1)</script>`)
    await fetch(`${home}/users/2`, { method: 'DELETE' })
    await fetch(`${home}/login`, {
      method: 'POST',
      body: 'email=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' }
    })
    await fetch(`${nonet.scenarios.url}/w/grace/api/users`)
  })
  after(async () => {
    await browser.close()
    await nonet.stop()
  })

  const pages: Readonly<Record<string, () => string>> = {
    start: () => `${nonet.scenarios.url}/`,
    demo: () => `${nonet.scenarios.url}/w/looks/_demo`,
    pupil: () => `${nonet.scenarios.url}/_demo`,
    workspaces: () => `${nonet.console?.url}/scenarios/workspaces`,
    'one workspace': () => `${nonet.console?.url}/scenarios/workspaces?of=ada`
  }
  const show = sharePages(() => browser)
  for (const [name, address] of Object.entries(pages)) {
    for (const [shape, options] of Object.entries(SHAPES)) {
      test(`scenarios ${name}, ${shape}`, async () => {
        const watched = await show(options, address())
        await assertSoundInBothColours(watched, `scenarios ${name} ${shape}`)
        if (shape === 'desktop') await assertKeyboardWalk(watched, `scenarios ${name}`)
      })
    }
  }

  for (const [look, options] of Object.entries(LOOKS)) {
    test(`the demo with a list, a form and a failure, ${look}`, async () => {
      const watched = await visit(browser, `${nonet.scenarios.url}/w/looks/_demo`, options)
      const { page, complaints } = watched
      const rules = rulesFor(options.colorScheme)
      await logIn(page)
      await page.getByRole('button', { name: 'Edit Janet Weaver' }).click()
      await assertSoundPage(watched, `scenarios demo list ${look}`, rules)
      await page.getByLabel('Failing').check()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('alert').waitFor()
      // A browser reports failed calls by itself; those were asked for.
      complaints.length = 0
      await assertSoundPage(watched, `scenarios demo failure ${look}`, rules)
      await page.context().close()
    })
  }

  async function openDemo(workspace?: string) {
    const path = workspace === undefined ? '/_demo' : `/w/${workspace}/_demo`
    return visit(browser, nonet.scenarios.url + path, {})
  }

  async function logIn(page: Page, isNew = true): Promise<void> {
    if (isNew) await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('Logged in as Eve Holt (user)').waitFor()
    await page.getByText('Page 1 of 2, 12 people').waitFor()
  }

  const names = (page: Page) => page.locator('#people p:not(.soft)').allInnerTexts()

  test('a visitor logs in, sees the list, edits, leafs through it and logs out', async () => {
    const { page, complaints } = await openDemo()
    assert.match(page.url(), /\/w\/demo-[a-z2-9]{5}-\w{22}\/_demo$/)
    await logIn(page)
    assert.deepEqual(await names(page), [
      ...['George Bluth', 'Janet Weaver', 'Emma Wong'],
      ...['Eve Holt', 'Charles Morris', 'Tracey Ramos']
    ])
    await page.getByRole('button', { name: 'Edit Janet Weaver' }).click()
    await page.getByLabel('First name').fill('Jane')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Edit Jane Weaver' }).waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Page 2 of 2').waitFor()
    assert.equal((await names(page))[0], 'Michael Lawson')
    await page.reload()
    await page.getByText('Jane Weaver').waitFor()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    assert.deepEqual(await names(page), [])
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a flaky and slow network shows the error, the retry, and then the list', async () => {
    const { page } = await openDemo('flaky-and-slow')
    await page.getByLabel('Flaky').check()
    await page.getByLabel('Slow').check()
    const began = performance.now()
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText(/503 .*Trying again, attempt \d of 4/).waitFor()
    await page.getByText('Page 1 of 2, 12 people').waitFor()
    assert.ok(performance.now() - began >= 3 * 1500, 'three calls of 1.5 s at least')
    const calls = await page.locator('#calls li').allInnerTexts()
    assert.ok(
      calls.some((line) => /^GET \/users\?page=1&per_page=6\s+\d+ ms, slow\s+200$/.test(line)),
      calls.join('\n')
    )
    assert.ok(
      calls.some((line) => /\d+ ms, slow, flaky\s+503$/.test(line)),
      calls.join('\n')
    )
    await page.context().close()
  })

  test('a failing network is told, and goes on where it was once it is repaired', async () => {
    const { page } = await openDemo('failing')
    await logIn(page)
    await page.getByLabel('Failing').check()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('alert').getByText('503 Service Unavailable').waitFor()
    assert.equal((await names(page))[0], 'George Bluth', 'what was there is still there')
    await page.getByLabel('Failing').uncheck()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Page 2 of 2').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    await page.getByLabel('Dropped').check()
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByText(/The connection was lost\. Trying again/).waitFor()
    await page.getByRole('alert').getByText('The connection was lost').waitFor()
    await page.context().close()
  })

  test('a session that is over leads back to the login, a tag to its refusal', async () => {
    const { page } = await openDemo('over')
    await page.getByLabel('E-mail').fill('eve.holt+locked@reqres.in')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('alert').getByText('403 Account locked').waitFor()
    await page.getByLabel('E-mail').fill('eve.holt@reqres.in')
    await logIn(page)
    await page.getByLabel('Other scenarios').fill('token-expired')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('alert').getByText('Your session has expired').waitFor()
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    await page.context().close()
  })

  test('two people in two workspaces do not see each other; two tabs of one do', async () => {
    const [mine, other] = await Promise.all([openDemo('mine'), openDemo('theirs')])
    await logIn(mine.page)
    await logIn(other.page)
    const second = await mine.page.context().newPage()
    await second.goto(mine.page.url())
    const listens = second.waitForResponse(/\/api\/events/)
    await logIn(second)
    await listens
    await mine.page.getByRole('button', { name: 'Edit George Bluth' }).click()
    await mine.page.getByLabel('Last name').fill('Mine')
    await mine.page.getByRole('button', { name: 'Save', exact: true }).click()
    await second.getByText('George Mine').waitFor()
    await other.page.reload()
    await other.page.getByText('Page 1 of 2').waitFor()
    assert.equal((await names(other.page))[0], 'George Bluth')
    assert.deepEqual([...mine.complaints, ...other.complaints], [])
    await Promise.all([mine.page.context().close(), other.page.context().close()])
  })

  test('Try it shows request and response below the scenario, for every one of them', async () => {
    const watched = await visit(browser, `${nonet.scenarios.url}/`, {})
    const { page } = watched
    const shown = async (name: string) => {
      const entry = page.locator('li', { has: page.getByText(`Try it: ${name}`, { exact: true }) })
      await entry.getByText(`Try it: ${name}`, { exact: true }).click()
      const output = entry.locator('output')
      await output.getByText('Waiting').waitFor({ state: 'detached' })
      return output.innerText()
    }
    const status = await shown('status')
    assert.match(
      status,
      /^GET \/api\/users\?scenario=status:503\s+503 Service Unavailable, \d+ ms(, headers after \d+ ms)?, \d+ B\s/
    )
    assert.match(
      status,
      /\nx-scenario-applied: status\s+\{\n {2}"error": "Service Unavailable"\n\}/
    )
    const output = page.locator('#status output')
    assert.equal(await output.locator('.hl-name').getByText('"error"').count(), 1)
    await output.getByText(/more headers/).click()
    await output.getByText('access-control-allow-origin').waitFor()
    const locked = await shown('locked')
    assert.match(
      locked,
      /^POST \/api\/login\s+\{"email":"eve\.holt\+locked@reqres\.in".*\}\s+403 Forbidden/
    )
    assert.match(locked, /"retry_after": \d+/)
    assert.match(await shown('stale'), /if-match: "old"\s[\s\S]*\s412 Precondition Failed/)
    assert.match(await shown('validation'), /\s422 /)
    assert.match(await shown('ws-close'), /"welcome"[\s\S]*closed with 1011/)
    assert.match(await shown('reset'), /\sNo readable response after \d+ ms/)
    assert.match(
      await shown('redirect'),
      /\s200 OK, \d+ ms(, headers after \d+ ms)?, 1\.0 kB, after redirects/
    )
    assert.match(await shown('token-expired'), /\s401 [\s\S]*Token expired/)
    const all = await page.getByText(/^Try it: /).allInnerTexts()
    assert.equal(all.length, 58)
    await page.getByRole('button', { name: /Log in.*Janet Weaver/ }).click()
    const person = page.locator('li', { hasText: 'janet.weaver' })
    await person.locator('output').getByText('"QpwL5tke4Pnpja7X2"').waitFor()
    // A browser reports failed calls by itself; those were asked for.
    watched.complaints.length = 0
    await assertSoundPage(watched, 'scenarios tried')
    await page.context().close()
  })

  test('the code of a scenario does what the scenario says, pasted as it is', async () => {
    const { page, complaints } = await visit(browser, `${nonet.scenarios.url}/`, {})
    const codeOf = async (name: string, label: string) => {
      const entry = page.locator(`#${name}`)
      if (!(await entry.locator('.detail').isVisible())) {
        await entry.getByText(`Code: ${name}`, { exact: true }).click()
      }
      await entry.getByText(label, { exact: true }).click()
      return entry.locator('pre:visible').innerText()
    }
    const run = promisify(execFile)
    for (const [name, status] of [
      ['status', 503],
      ['locked', 403],
      ['stale', 412]
    ] as const) {
      const { stdout } = await run('sh', ['-c', await codeOf(name, 'curl')])
      assert.match(stdout, new RegExp(`^HTTP/1.1 ${status} `))
      const code = `${await codeOf(name, 'fetch')}\nreturn response.status`
      assert.equal(await new AsyncFunction(code)(), status)
    }
    await new AsyncFunction('page', await codeOf('status', 'Playwright'))(page)
    const status = await page.evaluate(async () => (await fetch('/api/users')).status)
    assert.equal(status, 503)
    const button = page.getByRole('button', { name: /^Code\s*: status$/ })
    assert.equal(await button.getAttribute('aria-expanded'), 'true')
    await button.press(' ')
    await page.locator('#status .detail').waitFor({ state: 'hidden' })
    assert.deepEqual(complaints.slice(1), [], 'only the failed call was reported')
    await page.context().close()
  })

  test('a scenario is found while typing, and by the index, which stays in sight on a phone', async () => {
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true }
    const { page, bytes } = await visit(browser, `${nonet.scenarios.url}/`, phone)
    assert.ok(bytes <= 100_000, `${bytes} bytes`)
    const found = () =>
      page.locator('.found [data-group] li:visible').evaluateAll((all) => all.map(({ id }) => id))
    const search = page.getByLabel('Find a scenario')
    await search.fill('Retry-After')
    assert.deepEqual(await found(), ['rate-limit', 'maintenance'])
    await page.getByText('2 scenarios', { exact: true }).waitFor()
    await search.fill('TOKEN expire')
    assert.deepEqual(await found(), ['password-expired', 'token-expired', 'short-token'])
    await search.fill('no such thing')
    await page.getByText('No scenario matches.').waitFor()
    await search.fill('')
    await page.getByText('58 scenarios', { exact: true }).waitFor()
    await page.locator('#people').scrollIntoViewIfNeeded()
    await page.getByText('Groups', { exact: true }).click()
    await page.getByRole('link', { name: 'Tokens 5' }).click()
    await page.waitForURL(/#tokens$/)
    const [index, title] = await Promise.all([
      page.locator('.index').boundingBox(),
      page.locator('#tokens').boundingBox()
    ])
    const below = (index?.y ?? 0) + (index?.height ?? 0)
    assert.ok(index && index.y >= 0 && index.y < 120, `the index is at ${index?.y}`)
    assert.ok(title && title.y >= below && title.y < 300, `the title is at ${title?.y}`)
    await page.locator('.index [aria-current]').getByText('Tokens').waitFor({ state: 'attached' })
    assert.equal(await page.locator('.index details').getAttribute('open'), null)
    await page.context().close()
  })

  test('the catalogue works as links and forms without JavaScript', async () => {
    const { page } = await visit(browser, `${nonet.scenarios.url}/`, {}, false)
    await page.getByText('Try it: empty-list', { exact: true }).click()
    await page.waitForURL(/\/api\/users\?scenario=empty-list$/)
    assert.match(await page.locator('body').innerText(), /"total":0/)
    await page.goto(`${nonet.scenarios.url}/`)
    await page.getByText('Try it: wrong', { exact: true }).click()
    await page.waitForURL(/\/api\/login/)
    assert.match(await page.locator('body').innerText(), /Invalid credentials/)
    await page.goto(`${nonet.scenarios.url}/`)
    await page.getByRole('button', { name: /Log in.*Eve Holt/ }).click()
    await page.waitForURL(/\/api\/login/)
    assert.match(await page.locator('body').innerText(), /QpwL5tke4Pnpja7X4/)
    await page.goto(`${nonet.scenarios.url}/`)
    await page.getByLabel('Scenarios, separated').fill('status:418')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.waitForURL(/\/api\/users\?scenario=status%3A418$/)
    await page.goto(`${nonet.scenarios.url}/`)
    assert.equal(await page.getByText('Try it: stale', { exact: true }).isVisible(), false)
    await page.getByLabel('Find a scenario').fill('429')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.waitForURL(/\?q=429$/)
    assert.deepEqual(await page.getByText(/^Try it: /).allTextContents(), ['Try it: rate-limit'])
    await page.getByText('Code: rate-limit', { exact: true }).click()
    await page.waitForURL(/\?q=429&show=rate-limit#rate-limit$/)
    await page.locator('#rate-limit').getByText('Playwright').click()
    await page.getByText("'x-scenario': 'rate-limit:2/30'").waitFor()
    await page.context().close()
  })

  test('a teacher sees the calls of a workspace, pushes and resets, without JavaScript', async () => {
    const { page, complaints } = await visit(browser, pages.workspaces?.() ?? '', {}, false)
    const row = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
    assert.match(await row('ada').innerText(), /403 POST \/api\/login/)
    await page.getByRole('link', { name: 'ada', exact: true }).click()
    await page.waitForURL(/\?of=ada$/)
    const calls = page.locator('#calls')
    assert.match(
      await calls.innerText(),
      /GET \/api\/users\?scenario=flaky:1\/1&search=<script>alert\(1\)<\/script>\s+503/
    )
    await calls.getByText('/api/login').first().click()
    await calls.getByText('"email"').waitFor()
    await page.getByRole('button', { name: 'Failing to ada' }).click()
    await row('ada').getByText('status:503').waitFor()
    assert.equal((await fetch(`${nonet.scenarios.url}/w/ada/api/users/2`)).status, 503)
    await confirm(page.locator('#chosen'), 'Reset', 'Reset ada')
    await row('ada').filter({ hasText: 'none yet' }).waitFor()
    assert.match(await row('grace').innerText(), /GET \/api\/users/)
    const restored = await fetch(`${nonet.scenarios.url}/w/ada/api/users/2`)
    assert.equal(restored.status, 200)
    await confirm(page, 'Reset all', 'Reset all workspaces')
    await row('grace').filter({ hasText: 'none yet' }).waitFor()
    await page.getByRole('link', { name: 'grace' }).click()
    await page.getByRole('link', { name: 'Open its demo application' }).click()
    await page.waitForURL(`${nonet.scenarios.url}/w/grace/_demo`)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a lesson: three pupils come twice in two windows, a teacher watches, pushes and resets', async () => {
    const teacher = await visit(browser, pages.workspaces?.() ?? '', {})
    const { page: desk } = teacher
    await desk.getByText('live', { exact: true }).waitFor()
    const rows = desk.locator('#pupils tbody tr')
    const before = await rows.count()
    const address = `${nonet.scenarios.url}/_demo`
    // The third one has no JavaScript: the form for the name needs none.
    const pupils = await Promise.all(
      [true, true, false].map((hasScript) => visit(browser, address, {}, hasScript))
    )
    const [ada, bobby, chen] = pupils.map(({ page }) => page) as [Page, Page, Page]
    const urls = await Promise.all(
      [ada, bobby, chen].map(async (page) => {
        const second = await page.context().newPage()
        const seen = new Set([page.url()])
        for (const window of [page, second, second]) {
          await window.goto(address)
          seen.add(window.url())
        }
        await second.close()
        assert.equal(seen.size, 1, `${[...seen]}`)
        return page.url()
      })
    )
    assert.equal(new Set(urls).size, 3)
    await rows.nth(before + 2).waitFor()
    await desk
      .locator('#facts')
      .getByText(`${before + 3} pupils`)
      .waitFor()

    const names = ['Ada', '<img src=x onerror=alert(1)>', 'Chén']
    for (const [index, page] of [ada, bobby, chen].entries()) {
      await page.getByLabel('What is your name?').fill(names[index] ?? '')
      await page.getByRole('button', { name: 'Save the name' }).click()
      await page.getByText(`You are ${names[index]}`).waitFor()
      assert.equal(page.url(), urls[index])
      await desk.getByRole('link', { name: names[index] ?? '', exact: true }).waitFor()
    }
    const row = (name = '') =>
      rows.filter({ has: desk.getByRole('rowheader', { name, exact: true }) })
    await row('Ada').getByText('none yet').waitFor()
    await logIn(ada)
    await row('Ada').getByText('/api/events').waitFor()

    // A click shows the calls of a pupil; later ones are added, and what is open stays open.
    await desk.getByRole('link', { name: 'Ada', exact: true }).click()
    await desk.waitForURL(/\?of=~[a-z2-9]{5}$/)
    const calls = desk.locator('#calls li')
    await calls.filter({ hasText: '/api/login' }).locator('summary').click()
    const body = calls.filter({ hasText: '/api/login' }).getByText('"eve.holt@reqres.in"')
    await body.waitFor()
    await ada.getByRole('button', { name: 'Next' }).click()
    await calls.filter({ hasText: 'page=2' }).waitFor()
    assert.ok(await body.isVisible())

    await desk.locator('#chosen').getByLabel('Scenario').fill('status:500')
    await desk.getByRole('button', { name: 'Push to Ada' }).click()
    await row('Ada').getByText('status:500').waitFor()
    await ada.getByRole('button', { name: 'Previous' }).click()
    await ada.getByRole('alert').getByText('500 Internal Server Error').waitFor()
    await logIn(bobby)
    await row(names[1]).getByText('/api/events').waitFor()
    // Calls that arrive while a button is pressed do not move it away.
    await desk.getByRole('button', { name: 'Empty lists to all' }).hover()
    await desk.mouse.down()
    // There is none if the page had loaded one before that it shows after the press.
    const loaded = desk.waitForResponse(desk.url(), { timeout: 3_000 }).catch(() => undefined)
    await ada.getByRole('button', { name: 'Try again' }).click()
    await (await loaded)?.finished()
    await wait(300)
    await desk.mouse.up()
    await row('Chén').getByText('empty-list').waitFor()
    await ada.getByRole('button', { name: 'Try again' }).click()
    await ada.getByText('Page 1 of 0, 0 people').waitFor()
    await bobby.reload()
    await bobby.getByText('Page 1 of 0, 0 people').waitFor()
    await desk.getByRole('button', { name: 'Stop to all' }).click()
    await row('Ada').getByText('empty-list').waitFor({ state: 'detached' })
    await bobby.reload()
    await logIn(bobby, false)

    // A reset asks first.
    const chosen = desk.locator('#chosen')
    const button = chosen.getByRole('button', { name: 'Reset Ada', exact: true })
    assert.equal(await button.isVisible(), false)
    await confirm(chosen, 'Reset', 'Reset Ada')
    await row('Ada').getByText('none yet').waitFor()
    assert.equal(await row(names[1]).getByText('none yet').count(), 0)
    for (const { complaints } of [teacher, ...pupils.slice(1)]) assert.deepEqual(complaints, [])
    await Promise.all([teacher, ...pupils].map(({ page }) => page.context().close()))
  })
})
