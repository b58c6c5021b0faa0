import type { ServiceName } from '../../src/host/service-names.ts'
import { type Nonet, start } from '../../src/host/start.ts'
import { sendMail } from './smtp-client.ts'

/** A page that people open, with the sample data of `storeSamples`. */
export interface SamplePage {
  /** Also the name of its pictures. */
  name: string
  /** Where it is: the console or a service. */
  of: 'console' | keyof Urls
  path: string | ((samples: Samples) => string)
  /** Selector of an element that the page's script adds last. */
  ready?: string
}

type Urls = Pick<Nonet, ServiceName>

interface Samples {
  /** Id of a record in the box `shown`. */
  record: string
  /** Id of a message. */
  message: string
}

export const SAMPLE_PAGES: readonly SamplePage[] = [
  { name: 'console', of: 'console', path: '/' },
  { name: 'console forms', of: 'console', path: '/forms/' },
  { name: 'console workspaces', of: 'console', path: '/scenarios/workspaces' },
  { name: 'console writing', of: 'console', path: '/statuses/' },
  { name: 'console docs', of: 'console', path: '/docs/' },
  { name: 'console docs of boxes', of: 'console', path: '/docs/services/boxes' },
  { name: 'console api of boxes', of: 'console', path: '/api/boxes' },
  { name: 'console snippets of boxes', of: 'console', path: '/snippets/boxes' },
  { name: 'reference home', of: 'reference', path: '/' },
  {
    name: 'reference list',
    of: 'reference',
    path: '/api/people/?species=1&height__gte=170&ordering=-height'
  },
  { name: 'reference search', of: 'reference', path: '/api/planets/?search=zzzz' },
  { name: 'reference person', of: 'reference', path: '/api/people/1/' },
  { name: 'reference film', of: 'reference', path: '/api/films/1/' },
  { name: 'reference starship', of: 'reference', path: '/api/starships/9/' },
  { name: 'boxes home', of: 'boxes', path: '/' },
  { name: 'boxes box', of: 'boxes', path: '/?box=shown' },
  { name: 'boxes record', of: 'boxes', path: ({ record }) => `/?box=shown&record=${record}` },
  { name: 'boxes empty', of: 'boxes', path: '/?box=none' },
  {
    name: 'countries playground',
    of: 'countries',
    path: '/',
    ready: '.graphiql-query-editor .cm-property'
  },
  { name: 'scenarios home', of: 'scenarios', path: '/' },
  { name: 'scenarios demo', of: 'scenarios', path: '/w/ada/_demo' },
  { name: 'mailbox home', of: 'mailbox', path: '/' },
  { name: 'mailbox message', of: 'mailbox', path: ({ message }) => `/sandbox/messages/${message}` },
  { name: 'mailbox account', of: 'mailbox', path: '/sandbox/accounts/caught' },
  { name: 'statuses profile', of: 'statuses', path: '/marit' },
  { name: 'statuses post', of: 'statuses', path: '/marit/status/1974530433555103749' },
  { name: 'statuses month', of: 'statuses', path: '/marit/archive/2025/10' },
  { name: 'statuses search', of: 'statuses', path: '/search?q=clock' },
  { name: 'statuses search help', of: 'statuses', path: '/search' },
  { name: 'mock operations', of: 'mock', path: '/__nonet/' },
  { name: 'mock journal', of: 'mock', path: '/__nonet/journal' },
  { name: 'mock journal entry', of: 'mock', path: '/__nonet/journal/1' },
  { name: 'mock violations', of: 'mock', path: '/__nonet/violations' },
  { name: 'mock coverage', of: 'mock', path: '/__nonet/coverage' },
  { name: 'mock state', of: 'mock', path: '/__nonet/state' },
  { name: 'mock webhooks', of: 'mock', path: '/__nonet/webhooks' },
  { name: 'mock documents', of: 'mock', path: '/__nonet/documents' }
]

/** Pages of all services, with something to show on each. */
export async function startWithSamples(portBase = 0): Promise<{
  nonet: Nonet
  urlOf: (page: SamplePage) => string
}> {
  const nonet = await start({ portBase })
  const samples = await storeSamples(nonet)
  return {
    nonet,
    urlOf({ of, path }) {
      const base = of === 'console' ? nonet.console?.url : nonet[of].url
      return `${base}${typeof path === 'string' ? path : path(samples)}`
    }
  }
}

async function storeSamples(nonet: Nonet): Promise<Samples> {
  const { forms, boxes, scenarios, mock, reference } = nonet
  for (const fullName of ['Ada Lovelace', '<script>alert(1)</script> "Mallory" & Sons']) {
    await send(forms.url, { email: 'somebody.with.a.long.address@example.org', fullName })
  }
  const stored = await send(`${boxes.url}/shown/people`, [
    { name: 'Ada', '<script>alert(1)</script>': '"&\'' },
    { long: 'x'.repeat(3000) }
  ])
  const [first] = (await stored.json()) as [{ _id: string }]
  for (const path of ['users?scenario=flaky:1/1', 'users/2']) {
    await read(`${scenarios.url}/w/ada/api/${path}`)
  }
  await read(`${scenarios.url}/w/grace/api/users`)
  for (const path of ['beds', 'plants?limit=3', 'plants?limit=99', 'plants/1', 'weeds']) {
    await read(`${mock.url}/${path}`)
  }
  for (const path of ['people/1/', 'films/', 'planets/4/'])
    await read(`${reference.url}/api/${path}`)
  return { record: first._id, message: await storeMessage(nonet) }
}

async function storeMessage({ mailbox }: Nonet): Promise<string> {
  const to = ['ada@example.org']
  const source = `From: Billing <billing@example.org>\r\nTo: Ada <ada@example.org>\r\nSubject: Your invoice\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<h1>Thank you</h1><p>Your invoice is <b>attached</b>.</p><img src="https://example.org/logo.png" alt="Logo">\r\n`
  await sendMail(mailbox.ports.smtp?.port ?? 0, { to, source })
  const list = await fetch(`${mailbox.url}/v1/sandbox/messages`)
  const { messages } = (await list.json()) as { messages: [{ id: string }] }
  return messages[0].id
}

async function read(url: string): Promise<void> {
  await (await fetch(url)).arrayBuffer()
}

function send(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body)
  })
}
