import type { Markup } from '../../../kernel/html.ts'
import { codeTabs } from '../../../kernel/page-parts.ts'
import type { ListenerAddress } from '../../../kernel/service.ts'

export interface MailServers {
  readonly smtp: ListenerAddress
  readonly imap: ListenerAddress
  /** URL of the service. */
  readonly api: string
}

/** What a program signs in with; undefined for mail to any address. */
export interface MailLogin {
  readonly address: string
  readonly password: string
  /** Of the API; undefined if it cannot be shown again. */
  readonly token: string | undefined
}

const SENDER = 'app@example.org'
const RECIPIENT = 'ada@example.org'

export function serverUrl(scheme: 'smtp' | 'imap', { host, port }: ListenerAddress): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Code to copy, with the real ports. `name` is unique in the page. */
export function snippetTabs(name: string, servers: MailServers, login?: MailLogin): Markup {
  return codeTabs(name, [
    { label: '.env', text: envSnippet(servers, login), language: 'plain' },
    { label: 'nodemailer', text: nodemailerSnippet(servers, login), language: 'script' },
    { label: 'curl', text: curlSnippet(servers, login), language: 'shell' },
    { label: 'In a test', text: testSnippet(servers, login), language: 'script' },
    ...(login === undefined
      ? []
      : [{ label: 'imapflow', text: imapflowSnippet(servers, login), language: 'script' as const }])
  ])
}

function envSnippet({ smtp }: MailServers, login: MailLogin | undefined): string {
  const user = login === undefined ? '' : `${encodeURIComponent(login.address)}:${login.password}@`
  const url = serverUrl('smtp', smtp).replace('//', `//${user}`)
  return [
    `SMTP_HOST=${smtp.host}`,
    `SMTP_PORT=${smtp.port}`,
    ...(login === undefined
      ? []
      : [`SMTP_USER=${login.address}`, `SMTP_PASSWORD=${login.password}`]),
    '# or as one URL',
    `SMTP_URL=${url}?ignoreTLS=true`
  ].join('\n')
}

function nodemailerSnippet({ smtp }: MailServers, login: MailLogin | undefined): string {
  const auth =
    login === undefined ? '' : `,\n  auth: { user: '${login.address}', pass: '${login.password}' }`
  return `import { createTransport } from 'nodemailer'

const transport = createTransport({
  host: '${smtp.host}',
  port: ${smtp.port},
  ignoreTLS: true${auth}
})
await transport.sendMail({
  from: '${SENDER}',
  to: '${login?.address ?? RECIPIENT}',
  subject: 'Welcome',
  text: 'It works.',
  html: '<p>It <b>works</b>.</p>'
})`
}

function curlSnippet({ smtp, api }: MailServers, login: MailLogin | undefined): string {
  const to = login?.address ?? RECIPIENT
  return `printf 'From: ${SENDER}\\nTo: ${to}\\nSubject: Welcome\\n\\nIt works.\\n' |
  curl -s ${serverUrl('smtp', smtp)} --crlf -T - \\
    --mail-from ${SENDER} --mail-rcpt ${to}
curl -s ${tokenFlag(login)}'${api}/v1/sandbox/messages?to=${to}'`
}

function tokenFlag(login: MailLogin | undefined): string {
  return login?.token === undefined ? '' : `-H 'Authorization: Bearer ${login.token}' `
}

function testSnippet({ api }: MailServers, login: MailLogin | undefined): string {
  const to = login?.address ?? RECIPIENT
  const options =
    login?.token === undefined
      ? ''
      : `, {\n  headers: { authorization: 'Bearer ${login.token}' }\n}`
  return `// Waits up to 10 seconds; also finds a message that came before.
const response = await fetch(
  '${api}/v1/sandbox/wait?to=${to}&timeout=10'${options === '' ? '' : options}
)
if (!response.ok) throw new Error('no mail')
const { subject, text } = await response.json()`
}

function imapflowSnippet({ imap }: MailServers, { address, password }: MailLogin): string {
  return `import { ImapFlow } from 'imapflow'

const client = new ImapFlow({
  host: '${imap.host}',
  port: ${imap.port},
  secure: false,
  doSTARTTLS: false,
  auth: { user: '${address}', pass: '${password}' }
})
await client.connect()
const { exists } = await client.mailboxOpen('INBOX')
await client.logout()`
}
