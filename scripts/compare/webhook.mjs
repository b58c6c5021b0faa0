import { once } from 'node:events'
import { createServer } from 'node:http'

/** Responses of the webhook by the local part of the email address; otherwise a success. */
const RESPONSES = {
  null: [200, 'null'],
  text: [200, 'Accepted', { 'content-type': 'text/plain' }],
  broken: [200, '{"a":', { 'content-type': 'application/json' }],
  empty: [200, ''],
  nothing: [204, ''],
  created: [201, '{"id":7}'],
  refuses: [400, '{"errors":[{"message":"no"},{"message":"never"}]}'],
  fails: [503, '{"errors":["first","second"]}'],
  odd: [422, '{"errors":[null,1]}'],
  unsure: [422, '{"errors":[]}'],
  worded: [422, '{"errors":"abc"}'],
  plain: [500, '{"message":"no list"}'],
  page: [404, '<h1>Not Found</h1>', { 'content-type': 'text/html' }],
  moved: [302, '', { location: '/landed' }],
  again: [307, '', { location: '/repeated' }],
  lost: [302, ''],
  elsewhere: [302, '', { location: 'ftp://example.org/' }],
  loop: [307, '', { location: '/loop' }],
  large: [200, `"${'x'.repeat(2 ** 20 - 2)}"`],
  larger: [200, `"${'x'.repeat(2 ** 20 - 1)}"`]
}

/** One webhook for both versions; it stores nothing, so they do not affect each other. */
export async function openWebhook() {
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const email = /"email":"([^@"]*)/.exec(Buffer.concat(chunks).toString())?.[1] ?? ''
    const name = request.url.slice(1) || email
    if (name === 'silent') return
    if (name === 'resets') {
      response.socket.resetAndDestroy()
      return
    }
    const [status, body, headers] = RESPONSES[name] ?? [200, '{"status":"success"}']
    response.writeHead(status, headers).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections()
      server.close()
    }
  }
}
