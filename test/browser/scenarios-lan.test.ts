import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { after, before, describe, test } from 'node:test'
import jsqr from 'jsqr'
import type { Browser, Page } from 'playwright-core'
import { assertSoundInBothColours, openBrowser, SHAPES, visit } from '../support/browser.ts'
import { type Launched, launchNonet } from '../support/launcher.ts'

const SIZE = 400

/** The picture as a camera would see it. */
async function readCode(page: Page): Promise<string | undefined> {
  const pixels = await page.evaluate(async (size) => {
    const svg = document.querySelector('svg.code-picture')
    const image = new Image(size, size)
    image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg ?? document))}`
    await image.decode()
    const canvas = new OffscreenCanvas(size, size)
    const context = canvas.getContext('2d')
    if (context === null) return ''
    context.fillStyle = '#fff'
    context.fillRect(0, 0, size, size)
    context.drawImage(image, 0, 0, size, size)
    const { data } = context.getImageData(0, 0, size, size)
    let text = ''
    for (let at = 0; at < data.length; at += 4) text += (data[at] ?? 0) < 128 ? '#' : ' '
    return text
  }, SIZE)
  const colours = [...pixels].flatMap((pixel) =>
    pixel === '#' ? [0, 0, 0, 255] : [255, 255, 255, 255]
  )
  return jsqr.default(new Uint8ClampedArray(colours), SIZE, SIZE)?.data
}

function isOnNetwork(): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  return addresses.some(({ internal, family }) => !internal && family === 'IPv4')
}

describe('a class room', () => {
  let browser: Browser
  let nonet: Launched
  before(async () => {
    nonet = await launchNonet(['scenarios', '--lan', '--ephemeral', '--quiet'])
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    await nonet.end()
  })

  const page = () => `${nonet.ready.console}/scenarios/workspaces`

  test('asks for the admin token', async () => {
    const answer = await fetch(page())
    assert.equal(answer.status, 401)
    const reset = await fetch(`${page()}/reset`, { method: 'POST' })
    assert.equal(reset.status, 401)
  })

  for (const [shape, options] of Object.entries(SHAPES)) {
    test(`shows a code that leads to the demo, ${shape}`, async () => {
      const watched = await visit(browser, `${page()}?token=${nonet.ready.token}`, options)
      await assertSoundInBothColours(watched, `scenarios class room ${shape}`)
      if (!isOnNetwork()) {
        await watched.page.getByText('Only this machine can reach nonet.').waitFor()
        assert.equal(
          await watched.page.locator('svg.code-picture').count(),
          0,
          'no code leads nowhere'
        )
        await watched.page.context().close()
        return
      }
      const address = await readCode(watched.page)
      assert.match(address ?? '', /^http:\/\/(\d+\.){3}\d+:\d+\/_demo$/)
      const links = await watched.page.locator('main a').allInnerTexts()
      assert.ok(links.includes(address ?? ''), 'the address can be typed, too')
      // Whoever scans it gets a workspace, and appears on the teacher's page.
      const { page: student } = await visit(browser, address ?? '', {})
      await student.getByRole('button', { name: 'Log in' }).click()
      await student.getByText('Page 1 of 2').waitFor()
      const [, workspace = ''] = /\/w\/([^/]+)\/_demo$/.exec(student.url()) ?? []
      await watched.page.getByRole('link', { name: 'Refresh' }).click()
      const row = watched.page.getByRole('row').filter({ hasText: workspace })
      assert.match(await row.innerText(), /200 POST \/api\/login/)
      await Promise.all([student.context().close(), watched.page.context().close()])
    })
  }
})
