/** Feed readers on the feeds of a board. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFeed } from 'feedsmith'
import RssParser from 'rss-parser'
import { start } from '../../src/host/start.ts'
import { contentBoard } from '../contract/cards-content-board.ts'
import { siteOf } from '../contract/cards-site.ts'

test('rss-parser and feedsmith read titles, URLs, dates, HTML and images', async () => {
  await using nonet = await start({ services: ['cards'] })
  const site = siteOf(nonet)
  const board = await contentBoard(site, 'News & more')
  const card = await board.add({ name: 'A <b> & c', desc: 'Some **bold** ]]> text' })
  await board.addImage(card.id)
  await board.setItem(card.id, board.fields.url, { value: { text: 'https://a.example/?a=1&b=2' } })
  const xml = (await board.read('/feed.xml')).text
  const [item] = (await new RssParser().parseString(xml)).items
  assert.equal(item?.title, 'A <b> & c')
  assert.equal(item?.link, 'https://a.example/?a=1&b=2')
  assert.equal(item?.content?.trim(), '<p>Some <strong>bold</strong> ]]&gt; text</p>')
  assert.ok(Date.now() - Date.parse(item?.isoDate ?? '') < 60_000)
  const rss = parseFeed(xml)
  assert.equal(rss.format, 'rss')
  const feed = parseFeed((await board.read('/feed.json')).text)
  assert.equal(feed.format, 'json')
  const [read] = feed.format === 'json' ? (feed.feed.items ?? []) : []
  assert.equal(read?.content_html?.trim(), item?.content?.trim())
  assert.match(read?.image ?? '', /\/images\/[0-9a-f]{64}\.png$/)
})
