/** react-jsonbox 1.0.0, unmodified, in a React 16 application on a page of another origin. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import { openBrowser, visit } from '../support/browser.ts'

const modules = join(import.meta.dirname, 'node_modules')
const script = (path: string) => readFileSync(join(modules, path), 'utf8')

/** What a bundler does for a package that asks for React, and for generators as Babel made them. */
const PAGE = `<!doctype html><html lang="en"><title>app</title><link rel="icon" href="data:,">
<div id="root"></div>
<script src="/regenerator.js"></script><script src="/react.js"></script><script src="/react-dom.js"></script>
<script>var exports = {}; var require = () => React</script>
<script src="/react-jsonbox.js"></script><script type="module" src="/app.js"></script></html>`

const APP = `
const { JsonBoxProvider, default: useJsonBox } = exports
const e = React.createElement

function People() {
  const { read, create, update, remove } = useJsonBox()
  const [people, setPeople] = React.useState([])
  const show = async () => setPeople((await read('people', { sort: 'name' })).data)
  React.useEffect(() => { show() }, [])
  const act = (work) => async () => { await work(); await show() }
  return e('main', null,
    e('button', { onClick: act(() => create({ name: 'Ada' }, 'people')) }, 'add'),
    e('ul', null, people.map(({ _id, name }) => e('li', { key: _id }, name,
      e('button', { onClick: act(() => update({ name: name + '!' }, _id)) }, 'rename'),
      e('button', { onClick: act(() => remove(_id)) }, 'remove')))))
}

const value = { url: new URLSearchParams(location.search).get('url'), id: 'box_react_0123456789' }
ReactDOM.render(e(JsonBoxProvider, { value }, e(People)), document.getElementById('root'))
`

describe('react-jsonbox in a page', () => {
  let nonet: Nonet<'boxes'>
  let server: Server
  let browser: Browser
  before(async () => {
    nonet = await start({ services: ['boxes'] })
    const files: Record<string, string> = {
      '/regenerator.js': script('regenerator-runtime/runtime.js'),
      '/react.js': script('react/umd/react.production.min.js'),
      '/react-dom.js': script('react-dom/umd/react-dom.production.min.js'),
      '/react-jsonbox.js': script('react-jsonbox/dist/index.js'),
      '/app.js': APP
    }
    server = createServer((request, response) => {
      const file = files[request.url ?? '']
      response.setHeader('content-type', file ? 'text/javascript' : 'text/html')
      response.end(file ?? PAGE)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    browser = await openBrowser()
  })
  after(async () => {
    await browser.close()
    server.close()
    await nonet.stop()
  })

  test('creates, reads, updates and deletes', async () => {
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/?url=${encodeURIComponent(nonet.boxes.url)}`
    const { page, complaints } = await visit(browser, url, {})
    const items = page.locator('li')
    await page.getByRole('button', { name: 'add' }).click()
    await items.filter({ hasText: 'Ada' }).waitFor()
    const stored = await (await fetch(`${nonet.boxes.url}/box_react_0123456789/people`)).json()
    assert.equal(stored.length, 1)
    assert.equal(stored[0].name, 'Ada')
    await page.getByRole('button', { name: 'rename' }).click()
    await items.filter({ hasText: 'Ada!' }).waitFor()
    await page.reload()
    await items.filter({ hasText: 'Ada!' }).waitFor()
    await page.getByRole('button', { name: 'remove' }).click()
    await items.waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  })
})
