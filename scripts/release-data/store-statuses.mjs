import { join } from 'node:path'
import { storeFolder, xArchive } from '../../test/support/statuses-archives.ts'
import { png } from '../../test/support/statuses-media.ts'

const IMPORTED = 20
const SHOWN = 8
const TEXT = 'Hello from #nonet 🌱 <b>, see https://example.com/a?b=c&d and @wren_now'

/** An account with its own posts in each state and two tokens, and one of an archive. */
export async function storeStatuses({ send, command, folder }) {
  const archive = xArchive({ count: IMPORTED })
  const archiveFolder = join(folder, 'archive')
  storeFolder(archiveFolder, archive.files)
  await command('import', 'statuses', archiveFolder)
  const create = async (name, ...rest) => {
    const printed = await command('token', 'create', 'statuses', '--json', '--name', name, ...rest)
    return JSON.parse(printed)
  }
  const laptop = await create('laptop', '--account', 'ada', '--new-account')
  const lost = await create('lost', '--account', 'ada', '--scope', 'read')
  await command('token', 'revoke', 'statuses', lost.token.id)
  const posts = await storePosts(send, laptop.secret)
  await hideImported(send, await create('archive', '--account', 'wren_now'), archive.posts)
  return [
    ...ownRequests(laptop.secret, lost.secret, posts),
    ...publicRequests(posts, archive.posts)
  ]
}

const bearer = (token) => ({ authorization: `Bearer ${token}` })

async function storePosts(send, token) {
  const headers = { ...bearer(token), 'content-type': 'application/json' }
  const post = async (value, more = {}) =>
    JSON.parse(
      await send('statuses', 'POST', '/api/statuses', JSON.stringify(value), {
        ...headers,
        ...more
      })
    )
  const first = await post({ text: TEXT, lang: 'en' }, { 'idempotency-key': 'first' })
  const reply = await post({ text: 'The thread goes on', in_reply_to: first.id })
  const hidden = await post({ text: 'Only for me', visibility: 'hidden' })
  const deleted = await post({ text: 'Deleted soon' })
  await send('statuses', 'DELETE', `/api/statuses/${deleted.id}`, undefined, headers)
  const form = new FormData()
  form.set('text', 'With an image')
  form.set('media', new Blob([png(77, 16, 12)], { type: 'image/png' }), 'bed.png')
  form.set('alt', 'A bed, seen from above')
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type')
  const body = Buffer.from(await encoded.arrayBuffer())
  const sent = { ...bearer(token), 'content-type': type }
  const image = JSON.parse(await send('statuses', 'POST', '/api/statuses', body, sent))
  const change = { sensitive: true, media: [{ id: image.media[0].id, alt: 'A bed from above' }] }
  const path = `/api/statuses/${image.id}`
  await send('statuses', 'PATCH', path, JSON.stringify(change), headers)
  return { first, reply, hidden, deleted, image }
}

/** An edit of an imported post, which another import keeps. */
async function hideImported(send, { secret }, posts) {
  const path = `/api/statuses/${posts.find(({ kind }) => kind === 'plain').id}`
  const headers = { ...bearer(secret), 'content-type': 'application/json' }
  await send('statuses', 'PATCH', path, '{"visibility":"hidden","lang":"de"}', headers)
}

function ownRequests(token, revoked, { first, hidden, deleted }) {
  const of = (path, headers) => ({ service: 'statuses', path, headers })
  const own = bearer(token)
  return [
    of('/api/statuses', own),
    of('/api/statuses', bearer(revoked)),
    of('/api/statuses?visibility=deleted', own),
    of(`/api/statuses/${hidden.id}`, own),
    of(`/api/statuses/${deleted.id}`, own),
    {
      ...of('/api/statuses', {
        ...own,
        'idempotency-key': 'first',
        'content-type': 'application/json'
      }),
      method: 'POST',
      body: JSON.stringify({ text: TEXT, lang: 'en' })
    },
    { ...of(`/api/statuses/${first.id}`, bearer(revoked)), method: 'DELETE' }
  ]
}

function publicRequests(own, imported) {
  const record = (id) => ({
    service: 'statuses',
    path: `/ada/status/${id}`,
    headers: { accept: 'application/json' }
  })
  const of = (path) => ({ service: 'statuses', path })
  const page = (path) => ({ ...of(path), linksOnly: true })
  const ids = imported.slice(0, SHOWN).map(({ id }) => id)
  const { pathname } = new URL(own.image.media[0].url)
  return [
    ...Object.values(own).map(({ id }) => record(id)),
    ...ids.map((id) => ({ ...record(id), path: `/status/${id}` })),
    ...ids.map((id) => of(`/tweet-result?id=${id}`)),
    ...[
      '/ada/feed.json',
      '/ada/feed.xml',
      '/wren_now/feed.json',
      '/wren_old',
      '/sitemap.xml',
      pathname
    ].map(of),
    of(`/oembed?url=https%3A%2F%2Fx.com%2Fada%2Fstatus%2F${own.first.id}`),
    ...[
      '/ada',
      '/wren_now',
      '/search?q=thread',
      '/search?q=%23nonet',
      '/search?q=from%3Awren_now+has%3Amedia'
    ].map(page)
  ]
}
