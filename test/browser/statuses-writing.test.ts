/** The writing page of statuses on the console, with and without JavaScript. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import {
  assertKeyboardWalk,
  assertSoundInBothColours,
  assertSoundPage,
  openBrowser,
  SHAPES,
  visit
} from '../support/browser.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { storeZipFile, xArchive } from '../support/statuses-archives.ts'
import { png } from '../support/statuses-media.ts'
import { OWNER } from '../support/statuses-posts.ts'

const SCRIPT = '<script>alert(1)</script> "Mallory" & Sons'
const PHONE = SHAPES.phone ?? {}

/** Files as a person chooses, drops or pastes them. */
const image = (name: string, number = 1) => ({
  name,
  mimeType: 'image/png',
  buffer: png(number, 40, 30)
})

describe('the writing page of statuses', () => {
  let browser: Browser
  let nonet: Nonet<'statuses'>
  let zip: string
  before(async () => {
    nonet = await start({ services: ['statuses'], statuses: { maxTextLength: 300 } })
    await nonet.reset()
    browser = await openBrowser()
    zip = await storeZipFile(join(scratchFolder(), 'archive.zip'), xArchive({ count: 40 }).files)
  })
  after(async () => {
    await browser.close()
    await nonet.stop()
  })

  const url = (path = '/') => `${nonet.console?.url}/statuses${path}`
  const open = (look = {}, javaScriptEnabled = true, path = '/') =>
    visit(browser, url(path), look, javaScriptEnabled)
  const posts = (page: Page) => page.locator('#posts .own')
  const note = (page: Page) => page.locator('#note')

  /** Text of the public page of the post that is shown first; undefined if it does not exist. */
  async function publicPageOf(page: Page): Promise<string | undefined> {
    const id = (await posts(page).first().getAttribute('id'))?.replace('post-', '')
    const response = await fetch(`${nonet.statuses.url}/i/status/${id}`, {
      headers: { accept: 'text/html' }
    })
    return response.ok ? response.text() : undefined
  }

  /** Gives files to the page as if they were dropped on the composer or pasted into it. */
  async function give(page: Page, kind: 'drop' | 'paste', bytes: Buffer): Promise<void> {
    await page.evaluate(
      ({ how, content }) => {
        const transfer = new DataTransfer()
        const file = new File([new Uint8Array(content)], `${how}.png`, { type: 'image/png' })
        transfer.items.add(file)
        const target = document.querySelector('#text')
        target?.dispatchEvent(
          how === 'drop'
            ? new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true })
            : new ClipboardEvent('paste', {
                clipboardData: transfer,
                bubbles: true,
                cancelable: true
              })
        )
      },
      { how: kind, content: [...bytes] }
    )
  }

  test('begins with a first account, from the console, without JavaScript', async () => {
    const { page, complaints } = await visit(browser, `${nonet.console?.url}/`, PHONE, false)
    await page.getByRole('link', { name: 'Write' }).click()
    await page.getByText('Begin with a new account').waitFor()
    await page.getByLabel('User name').fill('search')
    await page.getByLabel('Name', { exact: true }).fill(SCRIPT)
    await page.getByRole('button', { name: 'Add the account' }).click()
    await page.getByRole('alert').getByText('The user name search is not allowed').waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), SCRIPT)
    await page.getByLabel('User name').fill('ada')
    await page.getByRole('button', { name: 'Add the account' }).click()
    await page.waitForURL('**/statuses/?account=ada&note=added')
    await page.getByText('No posts yet').waitFor()
    // The error page of the first form is not a failure of the page.
    assert.deepEqual(
      complaints.filter((text) => !text.includes('status of 400')),
      []
    )
    await page.context().close()
  })

  test('posts, hides, describes, deletes and restores without JavaScript', async () => {
    const { page, complaints } = await open(PHONE, false)
    await page.getByLabel('Text of the new post').fill(`Without a script ${SCRIPT}`)
    await page.locator('summary').getByText('Add images').click()
    await page.getByLabel('File').nth(1).setInputFiles(image('second.png'))
    await page.getByLabel('Description for people').nth(1).fill('The second of four')
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    await page.waitForURL('**note=posted*')
    await posts(page).getByText(SCRIPT).waitFor()
    assert.match((await publicPageOf(page)) ?? '', /alt="The second of four"/)
    const first = posts(page).first()
    await first.getByText('Descriptions of images').click()
    await first.getByLabel('Description').fill('Mended')
    await first.getByRole('button', { name: 'Save descriptions' }).click()
    await page.waitForURL('**note=described*')
    assert.match((await publicPageOf(page)) ?? '', /alt="Mended"/)
    await first.getByRole('button', { name: 'Hide' }).click()
    await page.waitForURL('**note=hidden*')
    assert.equal(await publicPageOf(page), undefined)
    await first.getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL('**note=deleted*')
    await page.getByText('No posts yet').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForURL('**note=hidden*')
    await first.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL('**note=shown*')
    assert.match((await publicPageOf(page)) ?? '', /Mended/)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('posts with Ctrl+Enter, counts code points and keeps the draft over a reload', async () => {
    const { page, complaints } = await open()
    const text = page.getByLabel('Text of the new post')
    await text.fill('Ὠδή 👩‍🚀')
    await page.locator('#counter').getByText('7 / 300').waitFor()
    await page.reload()
    assert.equal(await text.inputValue(), 'Ὠδή 👩‍🚀')
    await text.fill('x'.repeat(301))
    assert.match((await page.locator('#counter').getAttribute('class')) ?? '', /over/)
    await text.press('Control+Enter')
    await page.getByRole('alert').getByText('more than 300 characters').waitFor()
    assert.equal((await text.inputValue()).length, 301)
    await text.fill('Sent by the keyboard')
    await text.press('Control+Enter')
    await posts(page).first().getByText('Sent by the keyboard').waitFor()
    await note(page).getByText('Posted.').waitFor()
    assert.equal(await text.inputValue(), '')
    assert.ok(await text.evaluate((element) => element === document.activeElement))
    await page.reload()
    assert.equal(await text.inputValue(), '')
    assert.equal(await note(page).innerText(), '', 'the note is not in the URL')
    assert.match((await publicPageOf(page)) ?? '', /Sent by the keyboard/)
    assert.deepEqual(
      complaints.filter((line) => !line.includes('status of 400')),
      []
    )
    await page.context().close()
  })

  test('images are chosen, dropped and pasted, described and removed', async () => {
    const { page, complaints } = await open()
    const tiles = page.locator('#tiles li')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add images' }).click()
    await (await chooser).setFiles([image('one.png', 1), image('two.png', 2)])
    await give(page, 'drop', png(3))
    await give(page, 'paste', png(4))
    assert.equal(await tiles.count(), 4)
    await give(page, 'paste', png(5))
    await page.getByRole('alert').getByText('at most 4 images').waitFor()
    await page.getByRole('button', { name: 'Remove two.png' }).click()
    await page.locator('#files').setInputFiles({ ...image('notes.txt'), mimeType: 'text/plain' })
    await page.getByRole('alert').getByText('notes.txt is not an image').waitFor()
    assert.equal(await tiles.count(), 3)
    for (const name of ['one.png', 'drop.png', 'paste.png']) {
      await page.getByLabel(`Description of ${name}`).fill(`About ${name}`)
    }
    const pixels = await tiles
      .first()
      .locator('canvas')
      .evaluate((canvas) => {
        const { data } =
          (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(50, 50, 1, 1) ?? {}
        return data?.[3]
      })
    assert.equal(pixels, 255, 'the preview shows the image')
    await page.getByLabel('Sensitive images').check()
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    const first = posts(page).first()
    await first.locator('.thumbs img').nth(2).waitFor()
    assert.equal(await tiles.count(), 0)
    const shown = (await publicPageOf(page)) ?? ''
    assert.deepEqual(
      [...shown.matchAll(/alt="About (\w+)\.png"/g)].map(([, name]) => name),
      ['one', 'drop', 'paste']
    )
    assert.match(shown, /Sensitive media: 3 images/)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a deletion is undone, a reply is a thread, and the focus stays', async () => {
    const { page, complaints } = await open()
    const first = posts(page).first()
    const id = (await first.getAttribute('id')) ?? ''
    await first.getByRole('button', { name: 'Hide' }).click()
    await first.getByText('hidden', { exact: true }).waitFor()
    assert.equal(await publicPageOf(page), undefined)
    await first.getByRole('button', { name: 'Delete' }).click()
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    assert.ok(await undo.evaluate((element) => element === document.activeElement))
    assert.equal(await page.locator(`#${id}`).count(), 0)
    await page.keyboard.press('Enter')
    await page.locator(`#${id}`).getByText('hidden', { exact: true }).waitFor()
    await page.locator(`#${id}`).getByRole('button', { name: 'Show' }).click()
    await page.locator(`#${id}`).getByRole('button', { name: 'Hide' }).waitFor()
    const focused = await page.evaluate(() => document.activeElement?.closest('li')?.id)
    assert.equal(focused, id)

    await page.locator(`#${id}`).getByRole('link', { name: 'Reply' }).click()
    await page.getByText('Reply to your post').waitFor()
    await page.locator('#text:focus').waitFor()
    await page.getByLabel('Text of the new post').fill('The second of the thread')
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    await posts(page).first().getByText('The second of the thread').waitFor()
    await posts(page).first().getByText('reply to @ada').waitFor()
    assert.equal(await page.getByText('Reply to your post').count(), 0)
    assert.equal(new URL(page.url()).searchParams.get('reply'), null)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('what a reply is to stays below the header of a phone, without JavaScript', async () => {
    const { page } = await open(PHONE, false)
    await posts(page).nth(1).getByRole('link', { name: 'Reply' }).click()
    const reply = await page.locator('#reply').boundingBox()
    const header = await page.locator('header.top').boundingBox()
    assert.ok(reply && header && reply.y >= header.y + header.height)
    await page.context().close()
  })

  test('an archive is imported with progress and a report', async () => {
    const { page, complaints } = await open()
    // Slow enough to see the progress of the upload.
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    const throughput = { latency: 0, downloadThroughput: -1, uploadThroughput: 8_000 }
    await session.send('Network.emulateNetworkConditions', { offline: false, ...throughput })
    await page.getByLabel('Text of the new post').fill('A draft')
    await page.getByLabel('Zip file').setInputFiles(zip)
    await page.getByLabel('Leave out reposts').check()
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByText('The archive is being sent.').waitFor()
    await page.locator('progress').waitFor()
    await page.getByText(`Imported posts of @${OWNER.userName}`).waitFor()
    await page.getByText(/\d+ reposts/).waitFor()
    assert.equal(await page.locator('progress').count(), 0)
    assert.equal(await page.getByLabel('Text of the new post').inputValue(), 'A draft')
    await page.getByRole('link', { name: 'Show the posts' }).click()
    await page.getByRole('heading', { name: `Posts of @${OWNER.userName}` }).waitFor()
    await page.getByRole('link', { name: 'Older' }).click()
    await page.getByRole('link', { name: 'Newest' }).waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('an archive is imported without JavaScript; what cannot be is explained', async () => {
    const { page, complaints } = await open(PHONE, false)
    await page
      .getByLabel('Zip file')
      .setInputFiles({ ...image('no.zip'), mimeType: 'application/zip' })
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByText('no.zip is neither a zip archive').waitFor()
    await page.getByRole('link', { name: 'Write', exact: true }).click()
    await page.getByLabel('Zip file').setInputFiles(zip)
    await page.getByRole('button', { name: 'Import' }).click()
    await page.waitForURL('**/statuses/import/archive/*')
    await page.getByText(`Imported posts of @${OWNER.userName}`).waitFor()
    await page.getByRole('link', { name: 'Show the posts' }).click()
    await posts(page).first().waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  for (const [shape, look] of Object.entries(SHAPES)) {
    test(`is sound with images, a note and descriptions, ${shape}`, async () => {
      const watched = await open(look, true, '/?account=ada')
      const { page } = watched
      await page.locator('#files').setInputFiles([image('one.png', 1), image('two.png', 2)])
      await posts(page).getByText('Descriptions of images').first().click()
      await posts(page).first().getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      await assertSoundInBothColours(watched, `writing ${shape}`)
      await page.getByRole('button', { name: 'Undo' }).click()
      await note(page).getByText('Everyone can see').waitFor()
      await page.context().close()
    })
  }

  test('each control is reached by the keyboard', async () => {
    const watched = await open({}, true, '/?account=ada&show=public')
    await assertKeyboardWalk(watched, 'writing')
    await watched.page.context().close()
    const other = await open({}, true, '/?account=ada&new=1')
    await assertSoundPage(other, 'writing, new account')
    await other.page.context().close()
  })
})
