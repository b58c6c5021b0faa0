/** The writing page on the console: its forms, and the import of an archive that is uploaded. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request as openRequest } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Nonet, start } from '../../src/host/start.ts'
import type { ImportJob } from '../../src/services/statuses/writing/archive-imports.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { storeZipFile, xArchive } from '../support/statuses-archives.ts'
import { png } from '../support/statuses-media.ts'
import { OWNER } from '../support/statuses-posts.ts'

const HTML = { accept: 'text/html' }
const TOKEN = 'a-token-of-the-operator'
const MAX_ARCHIVE_BYTES = 300_000

for (const engine of ENGINES) {
  describe(`statuses: the writing page, on ${engine}`, { timeout: 240_000 }, () => {
    let nonet: Nonet<'statuses'>
    let zip: Buffer<ArrayBuffer>
    const { files, posts } = xArchive({ count: 30 })

    before(async () => {
      const statuses = { maxArchiveBytes: MAX_ARCHIVE_BYTES, maxTextLength: 100 }
      nonet = await start({ services: ['statuses'], statuses, ...engineOptions(engine) })
      await nonet.reset()
      zip = readFileSync(await storeZipFile(join(scratchFolder(), 'x.zip'), files))
    })
    after(() => nonet.stop())

    const consoleUrl = () => nonet.console?.url ?? ''

    async function page(path = '/statuses/'): Promise<string> {
      const response = await fetch(consoleUrl() + path, { headers: HTML })
      assert.equal(response.status, 200, path)
      return response.text()
    }

    /** The form of the page that posts to a path which matches. */
    async function actionOf(path: RegExp, on?: string): Promise<string> {
      const actions = [...(await page(on)).matchAll(/<form[^>]* action="([^"]+)"/g)]
      const found = actions
        .map(([, one = '']) => one.replaceAll('&amp;', '&'))
        .find((one) => path.test(one))
      return consoleUrl() + (found ?? assert.fail(`no form posts to ${path}`))
    }

    function submit(url: string, body: BodyInit, headers: Record<string, string> = {}) {
      const all = { ...HTML, origin: consoleUrl(), ...headers }
      return fetch(url, { method: 'POST', body, headers: all, redirect: 'manual' })
    }

    /** What a form of a browser sends that has no image. */
    function formOf(fields: Record<string, string | Blob>): FormData {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) {
        if (typeof value === 'string') form.append(name, value)
        else form.append(name, value, 'a.png')
      }
      return form
    }

    const leftovers = () => {
      const folder = join(nonet.folder, 'statuses', 'incoming')
      return existsSync(folder) ? readdirSync(folder) : []
    }

    async function ended(url: string): Promise<ImportJob> {
      for (;;) {
        const job: ImportJob = await (await fetch(url)).json()
        if (job.state !== 'running') return job
        await wait(20)
      }
    }

    test('without an account it has a form for the first one, and keeps what was typed', async () => {
      assert.doesNotMatch(await page(), /id="compose"/)
      const action = await actionOf(/accounts\?/)
      const wrong = await submit(action, new URLSearchParams({ user_name: 'Ada L', name: '<Ada>' }))
      assert.equal(wrong.status, 400)
      const text = await wrong.text()
      assert.match(text, /role="alert"><p>The user name Ada L is not allowed/)
      assert.match(text, /value="Ada L".*value="&lt;Ada&gt;"/s)
      const body = new URLSearchParams({ user_name: '@Ada', name: 'Ada Lovelace' })
      const added = await submit(action, body)
      assert.equal(added.status, 303)
      assert.equal(added.headers.get('location'), '/statuses/?account=Ada&note=added')
      assert.match(await page('/statuses/?account=Ada&note=added'), /The account is there/)
      const again = await submit(action, body)
      assert.equal(again.status, 409)
      assert.match(await again.text(), /There is an account @Ada already/)
    })

    test('curl adds an account with JSON', async () => {
      const send = (body: string) =>
        fetch(`${consoleUrl()}/statuses/accounts`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body
        })
      const added = await send('{"user_name":"grace","name":"Grace Hopper"}')
      assert.equal(added.status, 201)
      const { id, ...rest } = (await added.json()) as Record<string, string>
      assert.match(id ?? '', /^\d{18,19}$/)
      assert.deepEqual(rest, { user_name: 'grace', name: 'Grace Hopper' })
      for (const body of ['{', '[]', '{"user_name":1}', '{"user_name":"search"}', '{}']) {
        assert.equal((await send(body)).status, 400, body)
      }
    })

    test('a post with images is public at once, and a hidden one is not', async () => {
      const action = await actionOf(/posts\?/, '/statuses/?account=Ada')
      const form = formOf({
        text: 'Hello #engine',
        visibility: 'public',
        media: new Blob([new Uint8Array(png(1))]),
        alt: 'A loom'
      })
      const created = await submit(action, form)
      assert.equal(created.status, 303, await created.text())
      const location = created.headers.get('location') ?? ''
      const id = /post=(\d+)/.exec(location)?.[1] ?? ''
      assert.equal(location, `/statuses/?account=Ada&note=posted&post=${id}`)
      const shown = await fetch(`${nonet.statuses.url}/Ada/status/${id}`, { headers: HTML })
      const text = await shown.text()
      assert.match(text, /Hello .*#engine/)
      assert.match(text, /alt="A loom"/)
      const own = await page(location)
      assert.match(own, /Posted\. <a href="[^"]+\/Ada\/status\/\d+">/)
      const [, image = ''] = /src="(\/statuses\/media\/[0-9a-f]{64})" alt="A loom"/.exec(own) ?? []
      const thumbnail = await fetch(consoleUrl() + image)
      assert.match(thumbnail.headers.get('content-type') ?? '', /^image\/(?:png|webp)$/)
      assert.equal(thumbnail.headers.get('cache-control'), 'no-store')

      const hidden = await submit(action, formOf({ text: 'Only mine', visibility: 'hidden' }))
      const hiddenId = /post=(\d+)/.exec(hidden.headers.get('location') ?? '')?.[1]
      assert.equal((await fetch(`${nonet.statuses.url}/Ada/status/${hiddenId}`)).status, 404)
      assert.match(await page('/statuses/?account=Ada&show=hidden'), /Only mine/)
      assert.doesNotMatch(await page('/statuses/?account=Ada&show=public'), /Only mine/)
    })

    test('a form that cannot be posted is shown again with all that was typed', async () => {
      const action = await actionOf(/posts\?/, '/statuses/?account=Ada')
      const before = await page('/statuses/?account=Ada')
      const long = `<b>\n${'x'.repeat(100)}`
      const cases: [FormData, number, RegExp][] = [
        [formOf({ text: '' }), 400, /neither text nor images/],
        [formOf({ text: long, visibility: 'hidden' }), 400, /more than 100 characters/],
        [formOf({ text: long, media: new Blob(['no image']) }), 422, /not an image/],
        [formOf({ text: 'Kept', in_reply_to: '1' }), 422, /in_reply_to is not the id/]
      ]
      for (const [form, status, message] of cases) {
        const response = await submit(action, form)
        const text = await response.text()
        assert.equal(response.status, status, text)
        assert.match(text, message)
        const typed = String(form.get('text')).replace('<b>', '&lt;b&gt;')
        assert.ok(text.includes(`aria-describedby="counter">${typed}</textarea>`), String(message))
        assert.equal(/value="hidden" selected/.test(text), form.get('visibility') === 'hidden')
      }
      assert.equal(await page('/statuses/?account=Ada'), before)
    })

    test('a post is hidden, shown, described, deleted and restored by its buttons', async () => {
      const on = '/statuses/?account=Ada&show=public'
      const action = await actionOf(/posts\/\d+\?/, on)
      const id = /posts\/(\d+)/.exec(action)?.[1]
      const press = async (fields: [string, string][]) => {
        const response = await submit(action, new URLSearchParams(fields))
        assert.equal(response.status, 303)
        return response.headers.get('location')
      }
      const status = async () =>
        (await fetch(`${nonet.statuses.url}/Ada/status/${id}`, { headers: HTML })).status
      const back = `/statuses/?account=Ada&show=public`
      assert.equal(await status(), 200)
      assert.equal(await press([['do', 'hide']]), `${back}&note=hidden&post=${id}`)
      assert.equal(await status(), 404)
      assert.equal(await press([['do', 'delete']]), `${back}&note=deleted&post=${id}&was=hidden`)
      assert.match(
        await page(`/statuses/?account=Ada&note=deleted&post=${id}&was=hidden`),
        /name="do" value="hide">Undo/
      )
      assert.match(await page('/statuses/?account=Ada&show=deleted'), new RegExp(`post-${id}"`))
      assert.equal(await press([['do', 'hide']]), `${back}&note=hidden&post=${id}`)
      assert.equal(await press([['do', 'show']]), `${back}&note=shown&post=${id}`)
      assert.equal(await status(), 200)
      assert.equal(
        await press([
          ['do', 'describe'],
          ['alt', ' <i> ']
        ]),
        `${back}&note=described&post=${id}`
      )
      const shown = await fetch(`${nonet.statuses.url}/Ada/status/${id}`, { headers: HTML })
      assert.match(await shown.text(), /alt="&lt;i&gt;"/)
      assert.equal(await press([['do', 'delete']]), `${back}&note=deleted&post=${id}`)
      assert.equal(await status(), 404)
      assert.equal(await press([['do', 'show']]), `${back}&note=shown&post=${id}`)
      assert.equal(await status(), 200)
    })

    test('wrong buttons and posts of other accounts change nothing', async () => {
      const action = await actionOf(/posts\/\d+\?/, '/statuses/?account=Ada')
      const before = await page('/statuses/?account=Ada')
      const grace = /accounts\/(\d+)\/posts/.exec(await page('/statuses/?account=grace'))?.[1] ?? ''
      const send = (url: string, fields: string[][]) =>
        fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(Object.fromEntries(fields))
        })
      const path = new URL(action).pathname
      const cases: [string, string[][], number][] = [
        [path, [['do', 'publish']], 400],
        [path, [], 400],
        [
          path,
          [
            ['do', 'describe'],
            ['alt', '']
          ],
          400
        ],
        [path.replace(/accounts\/\d+/, `accounts/${grace}`), [['do', 'delete']], 404],
        [path.replace(/accounts\/\d+/, 'accounts/1'), [['do', 'delete']], 404],
        [path.replace(/\d+$/, '1'), [['do', 'delete']], 404],
        [path.replace(/\d+$/, 'x'), [['do', 'delete']], 404]
      ]
      for (const [target, fields, status] of cases) {
        const response = await send(consoleUrl() + target, fields)
        assert.equal(response.status, status, `${target} ${JSON.stringify(fields)}`)
      }
      assert.equal(await page('/statuses/?account=Ada'), before)
    })

    test('forms of other origins, and without the form token, change nothing', async () => {
      const before = await page('/statuses/?account=Ada')
      const actions = [
        await actionOf(/accounts\?/, '/statuses/?account=Ada&new=1'),
        await actionOf(/posts\?/, '/statuses/?account=Ada'),
        await actionOf(/posts\/\d+\?/, '/statuses/?account=Ada'),
        await actionOf(/import\/archive\?/)
      ]
      const fields = { user_name: 'mallory', text: 'Mallory', do: 'delete' }
      for (const action of actions) {
        const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
        for (const body of [new URLSearchParams(fields), formOf(fields)]) {
          assert.equal((await submit(action, body, foreign)).status, 403, action)
          const [path = ''] = action.split('?')
          // As of an old browser, which does not tell the origin of a form.
          const type =
            body instanceof FormData
              ? 'multipart/form-data; boundary=x'
              : 'application/x-www-form-urlencoded'
          assert.equal(await sendPlainForm(path, type), 403, path)
        }
      }
      assert.equal(await page('/statuses/?account=Ada'), before)
    })

    /** `fetch` sends headers of its own. */
    async function sendPlainForm(url: string, type: string): Promise<number> {
      const { promise, resolve, reject } = Promise.withResolvers<number>()
      const headers = { 'content-type': type, 'user-agent': 'Mozilla/5.0', 'accept-language': 'en' }
      const sent = openRequest(url, { method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      sent.on('error', reject)
      sent.end('user_name=mallory&do=delete')
      return promise
    }

    test('an archive is imported as the command does, and its file is removed', async () => {
      const url = `${consoleUrl()}/statuses/import/archive`
      const headers = { 'content-type': 'application/zip' }
      const dry = await fetch(`${url}?dry-run=1`, { method: 'POST', headers, body: zip })
      assert.equal(dry.status, 202)
      const planned = await ended(consoleUrl() + dry.headers.get('location'))
      assert.equal(planned.report?.dryRun, true)
      const action = await actionOf(/import\/archive\?/)
      const form = new FormData()
      form.append('archive', new Blob([zip]), 'x.zip')
      form.append('visibility', 'public')
      const sent = await submit(action, form)
      assert.equal(sent.status, 303)
      const job = consoleUrl() + sent.headers.get('location')
      const done = await ended(job)
      assert.equal(done.state, 'done', done.message)
      assert.equal(done.report?.account, OWNER.userName)
      assert.equal(done.report?.added, planned.report?.added)
      const html = await (await fetch(job, { headers: HTML })).text()
      assert.match(html, new RegExp(`Imported posts of @${OWNER.userName}`))
      assert.doesNotMatch(html, /<progress/)
      const shown = posts.find(({ expected }) => expected.hidden !== true)
      const { status } = await fetch(`${nonet.statuses.url}/i/status/${shown?.id}`, {
        headers: HTML
      })
      assert.equal(status, 200)
      assert.deepEqual(leftovers(), [])
    })

    test('what cannot be imported is explained, and no file is left', async () => {
      const action = await actionOf(/import\/archive\?/)
      const send = (content: BlobPart[], fields: Record<string, string> = {}) => {
        const form = new FormData()
        for (const [name, value] of Object.entries(fields)) form.append(name, value)
        form.append('archive', new Blob(content), content.length === 0 ? '' : 'mine.zip')
        return submit(action, form)
      }
      const cases: [Response, number, RegExp][] = [
        [
          await send([new Uint8Array(MAX_ARCHIVE_BYTES + 1)]),
          413,
          /larger than 293\.0 KiB; import it with nonet/
        ],
        [await send([]), 400, /Choose the zip file/],
        [await send(['x'], { 'alt-text': '/etc/passwd' }), 400, /alt-text is not an option/],
        [await send(['x'], { visibility: 'secret' }), 400, /--visibility must be public or hidden/]
      ]
      for (const [response, status, message] of cases) {
        const text = await response.text()
        assert.match(text, message)
        assert.equal(response.status, status)
      }
      const wrong = await send(['no zip'])
      assert.equal(wrong.status, 303)
      const job = await ended(consoleUrl() + wrong.headers.get('location'))
      assert.equal(job.state, 'failed')
      assert.equal(job.message, 'mine.zip is neither a zip archive, a folder nor a tweets.js')
      assert.equal((await fetch(`${consoleUrl()}/statuses/import/archive/unknown`)).status, 404)
      assert.deepEqual(leftovers(), [])
    })

    test('one import at a time; an aborted upload leaves no file and makes way', async () => {
      const url = `${consoleUrl()}/statuses/import/archive`
      const headers = { 'content-type': 'application/zip', 'content-length': String(zip.length) }
      const slow = openRequest(url, { method: 'POST', headers })
      slow.on('error', () => {})
      slow.write(zip.subarray(0, 1000))
      while (leftovers().length === 0) await wait(10)
      const send = () =>
        fetch(url, { method: 'POST', headers: { 'content-type': 'application/zip' }, body: zip })
      const second = await send()
      assert.equal(second.status, 409)
      assert.equal((await second.json()).error, 'IMPORT_RUNNING')
      assert.equal(leftovers().length, 1)
      slow.destroy()
      while (leftovers().length > 0) await wait(10)
      const third = await send()
      assert.equal(third.status, 202)
      assert.equal((await ended(consoleUrl() + third.headers.get('location'))).state, 'done')
    })
  })
}

test('statuses: uploads of a killed process are removed at the start', async () => {
  const data = scratchFolder()
  const folder = join(data, 'statuses', 'incoming')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'left.part'), 'x')
  await using nonet = await start({ services: ['statuses'], data })
  while (readdirSync(folder).length > 0) await wait(10)
  assert.equal((await fetch(`${nonet.console?.url}/statuses/`)).status, 200)
})

test('statuses: the writing page needs the admin token if other machines may reach it', async () => {
  await using nonet = await start({ services: ['statuses'], adminToken: TOKEN, lan: true })
  const base = `${nonet.console?.url}/statuses`
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', `/media/${'0'.repeat(64)}`],
    ['GET', '/import/archive/1'],
    ['POST', '/accounts'],
    ['POST', '/accounts/1/posts'],
    ['POST', '/accounts/1/posts/2'],
    ['POST', '/import/archive']
  ] as const) {
    const headers = { 'content-type': 'application/json' }
    const init = { method, headers, ...(method === 'POST' && { body: '{}' }) }
    assert.equal((await fetch(base + path, init)).status, 401, path)
  }
  const headers = { authorization: `Bearer ${TOKEN}` }
  assert.equal((await fetch(`${base}/`, { headers })).status, 200)
})
