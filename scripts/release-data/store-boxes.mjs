const OWNER = { 'x-api-key': '6f1b7b9e-3c0e-4a57-9a55-1d7d3f1f0c11' }
const OTHER = { 'x-api-key': '00000000-0000-4000-8000-000000000000' }
const INDEX_DEADLINE_MS = 30_000

/** Numbers and texts that a parser would change. */
const ODD_RECORDS = [
  '{"price": 1.0, "id": 12345678901234567890, "tiny":1E-7,  "minus":-0, "long":0.10000000000000000000000001}',
  '{"huge": 1e400, "less": -1.5e-400, "twice":1,"twice":2}',
  '{"name":"Zoë 🌱 שלום 你好","escaped":"\\u00e9\\/\\ud83c\\udf31","lone":"\\ud800","nul":"\\u0000"}',
  '{"__proto__":{"x":1},"constructor":null,"":"no name","$set":{"a.b":[[],{}]}}',
  '{}'
]

/** Records of public, protected and private boxes, with everything that a box can declare. */
export async function storeBoxes({ send }) {
  const json = async (...args) => JSON.parse(await send('boxes', ...args))
  for (const record of ODD_RECORDS) await json('POST', '/odd', record)
  const garden = await storeGarden(json)
  const protectedBox = await json('POST', '/protected', '{"n":1}', OWNER)
  const keys = await storePrivateBox(json)
  const of = (path, headers) => ({ service: 'boxes', path, ...(headers && { headers }) })
  return [
    ...['/odd?sort=_createdOn', '/_export/odd', '/odd?q=twice:=2', '/_changes/odd'].map((path) =>
      of(path)
    ),
    ...['/garden', '/garden/beds?sort=-area,name', '/garden?q=area:>=2.5', '/_meta/garden'],
    ...[`/garden/${garden.changed}`, `/garden/${garden.deleted}`, '/garden/ways'],
    ...['/_indexes/garden', '/_schema/garden/beds', '/_changes/garden', '/_export/garden/beds'],
    `/garden?where=${encodeURIComponent('{"home.town":{"$istartsWith":"z"}}')}`
  ]
    .map((request) => (typeof request === 'string' ? of(request) : request))
    .concat([
      of(`/garden/${garden.changed}`, { 'if-none-match': garden.etag }),
      { ...of('/garden/beds'), method: 'POST', body: '{"area":"large"}' },
      of('/protected'),
      { ...of(`/protected/${protectedBox._id}`, OTHER), method: 'DELETE' },
      of('/_keys/protected', OWNER),
      of('/private'),
      of('/private', OTHER),
      of('/private', OWNER),
      of('/private', { 'x-api-key': keys.reader }),
      of('/private', { 'x-api-key': keys.revoked }),
      { ...of('/private', { 'x-api-key': keys.reader }), method: 'POST', body: '{"n":2}' },
      of('/_keys/private', OWNER)
    ])
}

async function storeGarden(json) {
  const beds = [
    { name: 'Herb spiral', area: 2.5, home: { town: 'Zürich' } },
    { name: 'Long bed', area: 8, home: { town: 'zug' } },
    { name: 'Under the plum', area: 2.5, tags: ['shade', 'damp'] }
  ]
  const stored = await json('POST', '/garden/beds', JSON.stringify(beds))
  const [first, second, third] = stored.map(({ _id }) => _id)
  await json('PATCH', `/garden/${first}`, '{"sunny":true,"area":2.50}')
  await json('PUT', `/garden/${second}`, '{"name":"Long bed","area": 9.0,"home":{"town":"Zug"}}')
  await json('DELETE', `/garden/${third}`)
  // A year; the clock of a test is that of the recording.
  await json('POST', '/garden/ways?ttl=31536000', '{"name":"Gravel","area":1}')
  await json('PUT', '/_indexes/garden', '["area","home.town"]')
  const schema = '{"properties":{"area":{"type":"number"}},"required":["area"]}'
  await json('PUT', '/_schema/garden/beds', schema)
  await json('PUT', '/_meta/garden', '{"cap":100}')
  await untilIndexed(json)
  return { changed: first, deleted: third, etag: '"2"' }
}

async function untilIndexed(json) {
  const deadline = Date.now() + INDEX_DEADLINE_MS
  for (;;) {
    const indexes = await json('GET', '/_indexes/garden')
    if (indexes.every(({ state }) => state === 'ready')) return
    if (Date.now() > deadline) throw new Error(`Not indexed: ${JSON.stringify(indexes)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function storePrivateBox(json) {
  await json('PATCH', '/_keys/private', '{"private":true}', OWNER)
  await json('POST', '/private', '{"secret":"compost"}', OWNER)
  const issue = (label) =>
    json('POST', '/_keys/private', JSON.stringify({ label, scopes: ['read'] }), OWNER)
  const [reader, revoked] = [await issue('reader'), await issue('revoked')]
  await json('DELETE', `/_keys/private/${revoked.id}`, undefined, OWNER)
  return { reader: reader.key, revoked: revoked.key }
}
