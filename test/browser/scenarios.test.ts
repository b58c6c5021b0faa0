import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
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
    workspaces: () => `${nonet.console?.url}/scenarios/workspaces`
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
      await page.getByRole('button', { name: 'Save' }).click()
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

  async function logIn(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('Logged in as Eve Holt (user)').waitFor()
    await page.getByText('Page 1 of 2, 12 people').waitFor()
  }

  const names = (page: Page) => page.locator('#people p:not(.soft)').allInnerTexts()

  test('a visitor logs in, sees the list, edits, leafs through it and logs out', async () => {
    const { page, complaints } = await openDemo()
    assert.match(page.url(), /\/w\/demo-[0-9a-f]{10}\/_demo$/)
    await logIn(page)
    assert.deepEqual(await names(page), [
      ...['George Bluth', 'Janet Weaver', 'Emma Wong'],
      ...['Eve Holt', 'Charles Morris', 'Tracey Ramos']
    ])
    await page.getByRole('button', { name: 'Edit Janet Weaver' }).click()
    await page.getByLabel('First name').fill('Jane')
    await page.getByRole('button', { name: 'Save' }).click()
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
    await page.getByText(/503 .*Trying again, attempt 2 of 4/).waitFor()
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
    await logIn(second)
    await mine.page.getByRole('button', { name: 'Edit George Bluth' }).click()
    await mine.page.getByLabel('Last name').fill('Mine')
    await mine.page.getByRole('button', { name: 'Save' }).click()
    await second.getByText('George Mine').waitFor()
    await other.page.reload()
    await other.page.getByText('Page 1 of 2').waitFor()
    assert.equal((await names(other.page))[0], 'George Bluth')
    assert.deepEqual([...mine.complaints, ...other.complaints], [])
    await Promise.all([mine.page.context().close(), other.page.context().close()])
  })

  test('Try it shows the answer beside the scenario, for every one of them', async () => {
    const { page } = await visit(browser, `${nonet.scenarios.url}/`, {})
    const shown = async (name: string) => {
      const entry = page.locator('li', { has: page.getByText(`Try it: ${name}`, { exact: true }) })
      await entry.getByText(`Try it: ${name}`, { exact: true }).click()
      const output = entry.locator('output')
      await output.getByText(/^(?!Waiting)/).waitFor({ timeout: 15_000 })
      return output.innerText()
    }
    assert.match(await shown('status'), /^\d{3} .*\n[\s\S]*x-scenario-applied: status/)
    assert.match(await shown('locked'), /^403 Forbidden[\s\S]*"retry_after":\d+/)
    assert.match(await shown('stale'), /^412 Precondition Failed/)
    assert.match(await shown('validation'), /^422 /)
    assert.match(await shown('ws-close'), /"welcome"[\s\S]*closed with 1011/)
    assert.match(await shown('reset'), /^No readable response/)
    assert.match(await shown('redirect'), /^200 OK, \d+ ms, after redirects/)
    assert.match(await shown('token-expired'), /^401 [\s\S]*Token expired/)
    const all = await page.getByText(/^Try it: /).allInnerTexts()
    assert.equal(all.length, 58)
    await page.getByRole('button', { name: /Log in.*Janet Weaver/ }).click()
    await page.getByText('{"token":"QpwL5tke4Pnpja7X2"}').waitFor()
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
    await page.getByLabel('Scenario').fill('status:418')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.waitForURL(/\/api\/users\?scenario=status%3A418$/)
    await page.goto(`${nonet.scenarios.url}/`)
    assert.equal(await page.getByText('Try it: stale', { exact: true }).isVisible(), false)
    await page.context().close()
  })

  test('a teacher sees last calls as text, and resets one or all, without JavaScript', async () => {
    const { page, complaints } = await visit(browser, pages.workspaces?.() ?? '', {}, false)
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    const ada = await row('ada').innerText()
    assert.match(ada, /403 POST \/api\/login/)
    assert.match(ada, /503 GET \/api\/users\?scenario=flaky\S* flaky/)
    await confirm(row('ada'), 'Reset', 'Reset ada')
    await row('ada').filter({ hasText: 'none' }).waitFor()
    assert.match(await row('grace').innerText(), /GET \/api\/users/)
    const restored = await fetch(`${nonet.scenarios.url}/w/ada/api/users/2`)
    assert.equal(restored.status, 200)
    await confirm(page, 'Reset all', 'Reset all workspaces')
    await row('grace').filter({ hasText: 'none' }).waitFor()
    await page.getByRole('link', { name: 'grace' }).click()
    await page.waitForURL(`${nonet.scenarios.url}/w/grace/_demo`)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })
})
