import assert from 'node:assert/strict'
import { contract, type Expected, type Row } from '../support/contract.ts'

const FIRST = '1967312943120908289'
const QUOTING = '2010021726447992842'
const PAGE = `/marit/status/${FIRST}`
const HTML = 'text/html; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

function get(proves: string, path: string, expect: Expected, accept = '*/*'): Row {
  return { proves, send: { path, headers: { accept } }, expect }
}

function redirect(path: string, location: string): Row {
  return get(`${path} leads to ${location}`, path, { status: 302, headers: { location } })
}

/** A first start has a sample account. */
contract('I-7, the sample', { service: 'statuses' }, [
  get('a post is a page', PAGE, { status: 200, type: HTML, text: /First evening at the light/ }),
  get(
    'and a record',
    `/marit/status/${QUOTING}`,
    {
      status: 200,
      type: JSON_TYPE,
      check({ text }) {
        const { quoted, author } = JSON.parse(text)
        assert.equal(author.user_name, 'marit')
        assert.equal(quoted.media[0].type, 'photo')
      }
    },
    'application/json'
  ),
  get('and a frame', `${PAGE}/embed`, { status: 200, type: HTML }),
  redirect(`/anyone/status/${FIRST}`, PAGE),
  redirect(`/anyone/statuses/${FIRST}`, PAGE),
  redirect(`/anyone/thread/${FIRST}`, PAGE),
  redirect(`/i/web/status/${FIRST}`, PAGE),
  redirect(`/status/${FIRST}`, PAGE),
  redirect(`/statuses/${FIRST}`, PAGE),
  redirect(`${PAGE}/photo/1`, `${PAGE}#media-1`),
  redirect(`${PAGE}/video/1`, `${PAGE}#media-1`),
  redirect('/', '/marit'),
  redirect('/marit_at_sea', '/marit'),
  get('an unknown post is not found', '/marit/status/20', { status: 404, type: HTML }),
  get('as JSON too', '/marit/status/20', { status: 404, type: JSON_TYPE }, 'application/json'),
  get('for a component', `/api/tweet/${FIRST}`, { status: 200, type: JSON_TYPE }),
  get('that shows nothing', '/api/tweet/20', { status: 404, json: { data: null } }),
  get('for server functions', `/tweet-result?id=${FIRST}`, { status: 200, type: JSON_TYPE }),
  get('that find nothing', '/tweet-result?id=20', { status: 404, json: {} }),
  get('as oEmbed', `/oembed?url=https%3A%2F%2Fx.com%2Fi%2Fstatus%2F${FIRST}`, {
    status: 200,
    type: JSON_TYPE
  }),
  get('the profile', '/marit', { status: 200, type: HTML, text: /Marit Holm/ }),
  get('a month', '/marit/archive/2025/10', { status: 200, type: HTML, text: /shows the tide/ }),
  get('a month without posts', '/marit/archive/2020/10', { status: 404, type: HTML }),
  get('RSS', '/marit/feed.xml', { status: 200, type: 'application/rss+xml; charset=utf-8' }),
  get('JSON Feed', '/marit/feed.json', {
    status: 200,
    type: 'application/feed+json; charset=utf-8'
  }),
  get('search', '/search?q=tide', { status: 200, type: HTML, text: /tide/ }),
  get('the sitemap', '/sitemap.xml', {
    status: 200,
    type: 'application/xml; charset=utf-8',
    text: new RegExp(`${PAGE}<`)
  }),
  get('rules for crawlers', '/robots.txt', { status: 200, type: 'text/plain; charset=utf-8' }),
  get('the icon', '/favicon.svg', { status: 200, type: 'image/svg+xml' }),
  get('an unknown file', `/media/${'0'.repeat(64)}`, { status: 404 })
])
