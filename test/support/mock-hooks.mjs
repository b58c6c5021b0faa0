/** Hooks as an operator writes them, and hooks that fail; the path selects the case. */
const answers = {
  '/answer': { status: 202, headers: { 'x-from': 'hook' }, body: { made: true } },
  '/bytes': {
    status: 200,
    headers: { 'content-type': 'image/png' },
    body: new Uint8Array([137, 80])
  },
  '/huge': { status: 200, headers: {}, body: { huge: 10n } },
  '/bodiless': { status: 204, headers: {} },
  '/no-status': { status: 'ok', headers: {} },
  '/split': { status: 200, headers: { 'x-a': 'b\r\nset-cookie: c=d' }, body: 'text' }
}

export async function onRequest(request) {
  const { path } = request
  if (path === '/throw') throw new Error('thrown on purpose')
  if (path === '/loop') for (;;);
  if (path === '/never') return new Promise(() => {})
  if (path === '/exit') process.exit(3)
  if (path === '/late')
    setTimeout(() => {
      throw new Error('later')
    }, 5)
  if (path === '/nonsense') return 7
  if (path === '/function') return { ...request, body: () => {} }
  if (path in answers) return answers[path]
  if (path.startsWith('/old')) return { ...request, path: path.slice('/old'.length) }
  if (request.query === 'strip') delete request.body
  if (request.query === 'null') request.body = null
  if (request.query === 'kind') request.headers['x-kind'] = String(request.body)
  request.headers['x-hooked'] = `${request.method} ${request.operationId}`
  if (request.body?.name) request.body.name += '!'
}

export function onResponse(response, request) {
  response.headers['x-seen'] = `${request.operationId} ${request.headers['x-hooked']}`
  if (response.body?.id) response.body.id += 1
  if (request.query === 'spoil') response.body.id = 'x'
}
