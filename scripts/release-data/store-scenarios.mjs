const MONTH_SECS = 2_592_000
const FORM = { 'content-type': 'multipart/form-data; boundary=part' }
const UPLOAD =
  '--part\r\ncontent-disposition: form-data; name="note"; filename="grüße.txt"\r\n' +
  'content-type: text/plain\r\n\r\nhello 🌱\r\n--part--\r\n'
const KEY = { 'idempotency-key': 'first', 'content-type': 'application/json' }
const USER = '{"first_name":"Trinity","email":"trinity@example.org","job":"operator"}'

/** A workspace with changed records, sessions, rules, counters, emails and a file; a session. */
export async function storeScenarios({ send }) {
  const json = async (...args) => JSON.parse(await send('scenarios', ...args))
  const post = (path, value, ...rest) => json('POST', path, JSON.stringify(value), ...rest)
  await post('/_workspaces', {
    ...{ id: 'release', seed: '7', now: '2026-01-02T03:04:05Z', ttl: 31_536_000 },
    options: { strict: true, lockout: 3 }
  })
  const api = '/w/release/api'
  await json('POST', `${api}/users`, USER, KEY)
  await json('PATCH', `${api}/users/2`, '{"job":"zion resident","last_name":"Wéaver"}')
  await send('scenarios', 'DELETE', `${api}/users/3`)
  await post(`${api}/ships`, { name: 'Nebuchadnezzar', 'crew size': 9 })
  const account = { email: 'neo@example.org', password: 'made for the fixture', first_name: 'Neo' }
  const { token } = await post(`${api}/register`, account)
  const login = { ...account, expiresInSecs: MONTH_SECS }
  const { accessToken } = await post(`${api}/auth/login`, login)
  await post(`${api}/auth/forgot`, { email: account.email })
  await json('POST', `${api}/uploads`, UPLOAD, FORM)
  const { files } = await json('GET', `${api}/uploads`)
  const rules = [{ method: 'GET', path: '/api/ships', nth: 2, scenario: 'status:500' }]
  await json('PUT', '/_workspaces/release/rules', JSON.stringify(rules))
  await json('GET', `${api}/ships`)
  const shared = { email: 'eve.holt@reqres.in', password: 'x', expiresInSecs: MONTH_SECS }
  const session = await post('/api/auth/login', shared)
  const of = (path, bearer) => ({
    service: 'scenarios',
    path,
    ...(bearer && { headers: { authorization: `Bearer ${bearer}` } })
  })
  return [
    // First, because the other requests change what these return.
    ...['', '/requests', '/mail', '/rules', '/clock'].map((end) =>
      of(`/_workspaces/release${end}`)
    ),
    ...['users?per_page=20', 'users/2', 'users/3', 'users/13'].map((path) => of(`${api}/${path}`)),
    // The rule of the workspace applies to the second request, and the first was stored.
    ...['ships', 'ships', 'ships/13'].map((path) => of(`${api}/${path}`)),
    ...['uploads', `uploads/${files[0].id}`, 'events/poll?wait=0'].map((path) =>
      of(`${api}/${path}`)
    ),
    of(`${api}/me`, token),
    of(`${api}/me`, accessToken),
    of('/api/me', accessToken),
    of('/api/me', session.accessToken),
    of('/.well-known/jwks.json'),
    { ...of(`${api}/users`), method: 'POST', headers: KEY, body: USER },
    { ...of(`${api}/users`), method: 'POST', headers: KEY, body: '{"other":true}' }
  ]
}
