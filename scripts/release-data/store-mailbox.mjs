import { createTransport } from 'nodemailer'
import { png } from '../../test/support/statuses-media.ts'

const SERVICE = 'mailbox'
const bearer = (token) => ({ authorization: `Bearer ${token}` })

/** An account of the sandbox with read, unread and removed messages, one without mail, and tokens. */
export async function storeMailbox({ send, command }) {
  const create = async (fields) =>
    JSON.parse(await send(SERVICE, 'POST', '/v1/sandbox/accounts', JSON.stringify(fields)))
  const ada = await create({ account: 'ada', name: 'Ada Lovelace' })
  await create({ account: 'empty', address: 'empty@example.test' })
  const lost = JSON.parse(
    await command('token', 'create', SERVICE, '--json', '--account', 'ada', '--name', 'lost')
  )
  await command('token', 'revoke', SERVICE, lost.token.id)
  await deliver(ada.smtp.port, ada.address)
  const headers = bearer(ada.token)
  const { messages } = JSON.parse(
    await send(SERVICE, 'GET', '/v1/sandbox/messages', undefined, headers)
  )
  const named = (subject) => messages.find((message) => message.subject === subject)
  const removed = named('Removed').id
  await send(SERVICE, 'DELETE', `/v1/sandbox/messages/${removed}`, undefined, headers)
  const shown = named('Plans for the garden')
  const of = (path, sent = headers) => ({ service: SERVICE, path, headers: sent })
  return [
    of('/v1/sandbox/messages'),
    of('/v1/sandbox/messages', bearer(lost.secret)),
    of('/v1/sandbox/messages?search=garden'),
    of('/v1/sandbox/messages?account=empty', {}),
    of(`/v1/sandbox/messages/${shown.id}`),
    of(`/v1/sandbox/messages/${shown.id}/source`),
    of(`/v1/sandbox/messages/${shown.id}/attachments/${shown.attachments[0].id}`),
    of(`/v1/sandbox/messages/${removed}`),
    of('/v1/sandbox/accounts', {})
  ]
}

async function deliver(port, to) {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    tls: { rejectUnauthorized: false }
  })
  const attachments = [{ filename: 'Beet größe.png', content: png(77, 16, 12) }]
  const from = { name: 'Wren 🌱', address: 'wren@example.test' }
  await transport.sendMail({ from, to, subject: 'Removed', text: 'Gone soon' })
  await transport.sendMail({
    from,
    to: [to, 'other@example.test'],
    subject: 'Plans for the garden',
    text: 'Grüße aus dem Garten',
    html: '<p>Grüße aus dem <b>Garten</b></p>',
    attachments
  })
  transport.close()
}
