/** Records of the document `test/release/api.json`, of all clients and of a named session. */
export async function storeMock({ send }) {
  const store = (method, path, value, session) =>
    send('mock', method, path, JSON.stringify(value), headersOf(session))
  await store('POST', '/notes', { text: 'first', stars: 1.5 })
  await store('POST', '/notes', { text: 'zweite – 🌱' })
  await store('POST', '/notes', { text: 'third' })
  await store('PUT', '/notes/1', { text: 'first, replaced' })
  await store('DELETE', '/notes/3')
  await store('POST', '/notes/2/comments', { text: 'of the second' })
  await store('POST', '/notes', { text: 'of a session' }, 'anna')
  const of = (path, session) => ({ service: 'mock', path, headers: headersOf(session) })
  return [
    ...['/notes', '/notes/1', '/notes/3', '/notes/2/comments', '/notes/1/comments'].map((path) =>
      of(path)
    ),
    of('/notes', 'anna'),
    of('/notes', 'bert')
  ]
}

function headersOf(session) {
  const type = { 'content-type': 'application/json' }
  return session === undefined ? type : { ...type, prefer: `session=${session}` }
}
