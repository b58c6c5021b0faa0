import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { createOutbound } from '../../src/kernel/outbound.ts'
import { download } from '../../src/services/cards/import-export/receive/download.ts'
import { siteOf } from '../contract/cards-site.ts'
import {
  exportFolder,
  importCards,
  objectId,
  trelloBoard,
  trelloCard
} from '../support/cards-import.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { createRandom } from '../support/random.ts'
import { rawZip } from '../support/raw-zip.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

/** PostgreSQL takes four times as long, with the same memory. */
const CARDS = { sqlite: 10_000, postgres: 1_000 } as const
const MAX_BLOCK_MS = 1_500
const MAX_GROWTH = 400 * 1024 * 1024

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

for (const engine of ENGINES) {
  test(`URLs that are not of the web, and names that are paths, are not stored, on ${engine}`, async () => {
    await using nonet = await start({ services: ['cards'], ...engineOptions(engine) })
    const links = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      ' java\nscript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'vbscript:x',
      '//host/x',
      ''
    ]
    const names = [
      '../../etc/passwd',
      '..\\..\\x.png',
      'C:\\x.png',
      'a\0b.png',
      '/abs.png',
      '....',
      'x/../y.png'
    ]
    const attachments = [
      ...links.map((url, index) => ({
        id: objectId(100 + index),
        name: 'link',
        isUpload: false,
        url
      })),
      ...names.map((fileName, index) => ({
        id: objectId(200 + index),
        name: fileName,
        fileName,
        isUpload: true,
        url: 'https://trello.com/x'
      }))
    ]
    const actions = [
      {
        id: objectId(300),
        type: 'addAttachmentToCard',
        data: { card: { id: objectId(10) }, attachment: { url: 'javascript:alert(1)' } }
      }
    ]
    const own = { nonet: { format: 'nonet-cards-1' }, actions }
    const board = trelloBoard([trelloCard(10, { attachments })], own)
    const report = await importCards(nonet, exportFolder(board))
    assert.deepEqual(
      report.skipped.map(({ reason, count }) => [reason, count]),
      [
        ['attachments whose URL is neither http nor https', links.length],
        ['actions with a URL that is neither http nor https', 1]
      ]
    )
    const site = siteOf(nonet)
    const { secret } = await site.token()
    const { text } = await site.api(`/cards/${objectId(10)}/attachments`, { token: secret })
    assert.doesNotMatch(text, /script:|data:text|file:/i)
    for (const { fileName } of JSON.parse(text))
      assert.doesNotMatch(fileName, /\.\.\/|[/\\:\0]|^\.+$/)
    const page = await site.ask(`/b/${'wOrk1234'}/work`, { token: secret })
    assert.doesNotMatch(page.text, /javascript:/i)
  })

  test(`objects of wrong types are counted, and the rest is stored, on ${engine}`, async () => {
    await using nonet = await start({ services: ['cards'], ...engineOptions(engine) })
    const random = createRandom(7)
    const odd = [
      null,
      1,
      'x',
      [],
      {},
      true,
      -1,
      1e308,
      '\ud800',
      'a\0b',
      [[]],
      { id: 1 },
      'x'.repeat(20_000)
    ]
    const keys = [
      ...Object.keys(trelloCard(1)),
      'attachments',
      'customFieldItems',
      'labels',
      'idLabels',
      'cover',
      'checklists',
      'due',
      'dueReminder',
      'coordinates',
      'idMembers',
      'nonet'
    ]
    const broken = Array.from({ length: 300 }, (_, index) => {
      const card = trelloCard(1_000 + index)
      for (let count = random.below(3); count >= 0; count--) {
        card[keys[random.below(keys.length)] ?? 'id'] = odd[random.below(odd.length)]
      }
      return card
    })
    const board = trelloBoard([...odd, trelloCard(10), ...broken], {
      ...{
        labels: odd,
        customFields: odd,
        checklists: odd,
        actions: odd,
        members: odd,
        prefs: 3,
        labelNames: []
      },
      nonet: { format: 'nonet-cards-1', slug: '../x', timeZone: 'Mars/Base', owner: { id: 'x' } }
    })
    const report = await importCards(nonet, exportFolder(board), { comments: true })
    const skipped = report.skipped.reduce((sum, { count }) => sum + count, 0)
    assert.ok(report.cards.added > 50 && skipped > 50, `${report.cards.added} ${skipped}`)
    const site = siteOf(nonet)
    const { secret } = await site.token()
    const cards = await site.json(
      `/boards/${objectId(1)}/cards/all?customFieldItems=true&attachments=true`,
      { token: secret }
    )
    assert.equal(cards.length, report.cards.added)
    const again = await importCards(nonet, exportFolder(board), { comments: true })
    assert.deepEqual([again.cards.added, again.cards.updated], [0, 0])
  })

  test(`${CARDS[engine]} cards take bounded memory and leave room for other requests, on ${engine}`, async () => {
    await using nonet = await start({ services: ['cards'], ...engineOptions(engine) })
    const cards = Array.from({ length: CARDS[engine] }, (_, index) =>
      trelloCard(10_000 + index, { desc: 'word '.repeat(100), idLabels: [objectId(5)] })
    )
    const labels = [{ id: objectId(5), name: 'one', color: 'red' }]
    const folder = exportFolder(trelloBoard(cards, { labels }))
    const before = process.memoryUsage().rss
    let peak = 0
    let block = 0
    let last = { time: performance.now(), cpu: cpuMs() }
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
      const now = { time: performance.now(), cpu: cpuMs() }
      // The machine may have given the time to others.
      block = Math.max(block, Math.min(now.time - last.time, now.cpu - last.cpu))
      last = now
    }, 50)
    const report = await importCards(nonet, folder)
    clearInterval(timer)
    assert.equal(report.cards.added, CARDS[engine])
    assert.ok(block < MAX_BLOCK_MS, `a block of ${block} ms`)
    assert.ok(peak - before < MAX_GROWTH, `${(peak - before) / 2 ** 20} MiB`)
  })
}

test('deep, cut, foreign and compressed files are rejected in one sentence', async () => {
  await using nonet = await start({ services: ['cards'] })
  const deep = `{"name":"x","lists":[],"cards":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const bad: [string, RegExp][] = [
    [exportFolder(deep), /nested deeper than 64 levels$/],
    [exportFolder('{"name":'), /is not JSON in UTF-8$/],
    [exportFolder('\xff\xfe'), /is not JSON in UTF-8$|no export of a board/],
    [exportFolder('[]'), /it is no export of a board/],
    [exportFolder({ name: 'x', lists: {}, cards: [] }), /has no arrays of lists and cards$/],
    [scratchFolder(), /has no board\.json$/]
  ]
  const zip = join(scratchFolder(), 'evil.zip')
  writeFileSync(zip, rawZip([{ name: '../board.json', data: Buffer.from('{}') }]))
  bad.push([zip, /contains "\.\."/])
  for (const [path, message] of bad) await assert.rejects(importCards(nonet, path), { message })
  assert.equal((await fetch(`${nonet.cards.url}/content/portfolio/cards`)).status, 200)
})

test('downloads stay away from this machine, and only Trello gets key and token', async () => {
  const seen: { host: string; authorization: string | undefined }[] = []
  const server = createServer((request, response) => {
    const host = String(request.headers['x-test-host'] ?? 'loopback')
    seen.push({ host, authorization: request.headers.authorization })
    const target = new URL(request.url ?? '/', 'http://x').searchParams.get('to')
    if (target !== null) response.writeHead(302, { location: target })
    response.end(target === null ? 'bytes' : '')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const strict = createOutbound({ loopback: false, allow: [] })
  const near = createOutbound({ loopback: true, allow: [] })
  /** Hosts of the test are this server; every other request is a real one. */
  const outbound: Pick<typeof strict, 'fetch'> = {
    fetch(url, request) {
      const { hostname, pathname, search } = new URL(url)
      if (!/^(?:api\.)?trello\.com$|^files\.example$/.test(hostname))
        return strict.fetch(url, request)
      const headers = { ...request.headers, 'x-test-host': hostname }
      return near.fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
        ...request,
        headers,
        forwarded: false
      })
    }
  }
  const get = (url: string) => download(outbound, { url, key: 'k', token: 't' }, 1_000)
  const to = (target: string) => `https://trello.com/a?to=${encodeURIComponent(target)}`
  assert.equal(Buffer.from(await get('https://api.trello.com/a')).toString(), 'bytes')
  assert.equal(Buffer.from(await get(to('https://files.example/b'))).toString(), 'bytes')
  assert.deepEqual(seen, [
    { host: 'api.trello.com', authorization: 'OAuth oauth_consumer_key="k", oauth_token="t"' },
    { host: 'trello.com', authorization: 'OAuth oauth_consumer_key="k", oauth_token="t"' },
    { host: 'files.example', authorization: undefined }
  ])
  const rejected: [string, RegExp][] = [
    [`http://127.0.0.1:${port}/a`, /not of trello\.com/],
    ['https://trello.com.evil.example/a', /not of trello\.com/],
    ['https://user@trello.com/a', /not of trello\.com/],
    ['https://trello.com:8443/a', /not of trello\.com/],
    [to(`http://127.0.0.1:${port}/secret`), /not at an https URL/],
    [to(`https://127.0.0.1:${port}/secret`), /ADDRESS_REFUSED/],
    [to(`https://localhost:${port}/secret`), /ADDRESS_REFUSED/],
    [to('https://169.254.169.254/latest'), /ADDRESS_REFUSED/],
    [to(to(`https://[::1]:${port}/secret`)), /ADDRESS_REFUSED/],
    [to('file:///etc/passwd'), /not at an https URL/]
  ]
  for (const [url, message] of rejected) await assert.rejects(get(url), { message })
  assert.ok(
    seen.every(({ host }) => host !== 'loopback'),
    'nothing reached this machine directly'
  )
  server.close()
  await Promise.all([strict.close(), near.close()])
})
