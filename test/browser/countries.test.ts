import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import { assertSoundPage, LOOKS, openBrowser, rulesFor, visit } from '../support/browser.ts'

describe('the playground of countries in a real browser', () => {
  let browser: Browser
  let nonet: Nonet<'countries'>
  before(async () => {
    nonet = await start({ services: ['countries'] })
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await nonet.stop()
  })

  async function open(look = LOOKS['desktop light'] ?? {}, path = '/') {
    const watched = await visit(browser, nonet.countries.url + path, look)
    await watched.page.locator('.graphiql-query-editor .cm-property').first().waitFor()
    return watched
  }

  /** GraphiQL looks for the operation's name a moment after a change, so a fast click is early. */
  async function execute(page: Page) {
    for (;;) {
      const answered = page.waitForResponse((response) => {
        const query = response.request().postData() ?? ''
        // GraphiQL asks for the schema by itself.
        return query !== '' && !query.includes('IntrospectionQuery')
      })
      await page.getByRole('button', { name: /^Execute query/ }).click()
      const result = await (await answered).json()
      if (result.errors?.[0].extensions.code !== 'OPERATION_RESOLUTION_FAILURE') return result
    }
  }

  const answerOf = (page: Page) => page.locator('.graphiql-response .result-window')

  for (const [look, options] of Object.entries(LOOKS)) {
    test(`it keeps the rules for pages, ${look}`, async () => {
      const watched = await open(options)
      await watched.page.getByRole('button', { name: /^Execute query/ }).click()
      await answerOf(watched.page).getByText('"Brazil"').waitFor()
      await assertSoundPage(watched, `countries playground ${look}`, rulesFor(options.colorScheme))
      await watched.page.context().close()
    })
  }

  for (const [look, theme] of [
    ['desktop light', 'dark'],
    ['desktop dark', 'light']
  ] as const) {
    test(`it keeps them when the switch of the top bar chooses ${theme} on ${look}`, async () => {
      const watched = await open(LOOKS[look])
      const { page } = watched
      const button = page.getByRole('button', { name: /^Theme: / })
      while ((await button.getAttribute('aria-label')) !== `Theme: ${theme}`) await button.click()
      await page.locator(`body.graphiql-${theme}`).waitFor()
      await page.reload()
      await page.locator(`body.graphiql-${theme}`).waitFor()
      await page.getByRole('button', { name: /^Execute query/ }).click()
      await answerOf(page).getByText('"Brazil"').waitFor()
      await assertSoundPage(watched, `countries playground ${theme} on ${look}`)
      await page.context().close()
    })
  }

  test('on a phone the documentation covers the editor and does not squeeze it', async () => {
    const { page } = await open(LOOKS['phone light'])
    const editor = page.locator('.graphiql-query-editor')
    const before = await editor.boundingBox()
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    const docs = page.locator('.graphiql-doc-explorer')
    await docs.getByRole('link', { name: 'Query', exact: true }).waitFor()
    const width = (await docs.boundingBox())?.width ?? 0
    assert.ok(width > 200, `the documentation is ${width} px wide`)
    assert.equal((await editor.boundingBox())?.width, before?.width)
    await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click()
    await docs.waitFor({ state: 'detached' })
    assert.equal((await editor.boundingBox())?.width, before?.width)
    await page.context().close()
  })

  test('it runs the query of the specification and shows the answer', async () => {
    const { page, complaints } = await open()
    await page.getByRole('button', { name: /^Execute query/ }).click()
    const answer = answerOf(page)
    await answer.getByText('"Brasil"').waitFor()
    const text = await answer.innerText()
    for (const part of ['"Brazil"', '"BRL"', '"pt"', '"Portuguese"', '🇧🇷']) {
      assert.ok(text.includes(part), part)
    }
    assert.deepEqual(complaints, [])
  })

  test('every example runs without an error', async () => {
    const { page } = await open()
    for (const name of ['Brazil', 'DollarCountries', 'Search', 'Swiss']) {
      await page.getByRole('button', { name, exact: true }).click()
      const { data, errors } = await execute(page)
      assert.equal(errors, undefined, name)
      assert.ok(data, name)
    }
  })

  test('the documentation opens and leads from the query to a field', async () => {
    const { page, complaints } = await open()
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    const docs = page.locator('.graphiql-doc-explorer')
    await docs.getByRole('link', { name: 'Query', exact: true }).click()
    await docs.getByText('A country by its alpha-2, alpha-3 or numeric code').waitFor()
    await docs.getByRole('link', { name: 'Country', exact: true }).first().click()
    await docs.getByText('In a language of the country.').waitFor()
    assert.ok((await docs.innerText()).includes('awsRegion'))
    assert.deepEqual(complaints, [])
  })

  test('keys alone: from the top of the page to the query, run it, on to the next', async () => {
    const { page, complaints } = await open()
    const reached: string[] = []
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate(() => {
        const element = document.activeElement
        return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
      })
      reached.push(focused)
      if (focused === 'Query Editor') break
    }
    for (const name of ['Schema', 'Show Documentation Explorer', 'Brazil', 'Query Editor']) {
      assert.ok(reached.includes(name), `${name} is not among ${reached.join(', ')}`)
    }
    await page.keyboard.press('Control+Enter')
    await answerOf(page).getByText('"Brasil"').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('an error is shown as an error', async () => {
    const { page } = await open()
    await page.locator('.graphiql-query-editor .CodeMirror').click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText('{ country(code: "BR") { zzzz } }')
    const { errors } = await execute(page)
    assert.equal(errors[0].message, 'Cannot query field "zzzz" on type "Country".')
    await answerOf(page).getByText('Cannot query field').waitFor()
  })

  test('it is at /graphql too, and without JavaScript it says what is missing', async () => {
    await open(LOOKS['desktop light'], '/graphql')
    const { page, complaints } = await visit(browser, nonet.countries.url, {}, false)
    assert.ok((await page.locator('main').innerText()).includes('requires JavaScript'))
    await page.getByRole('link', { name: 'Schema' }).click()
    assert.ok((await page.locator('body').innerText()).includes('type Query {'))
    assert.deepEqual(complaints, [])
  })
})
