import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountTests, MailAccount } from './mail-account.ts'
import { MAIL_CORPUS } from './mail-corpus.ts'
import { API_CORPUS, type CorpusMessage } from './mailbox-corpus.ts'

interface Shown {
  id: string
  subject?: string
  size: number
  text?: { id: string; plain?: string; html?: string; webSafe?: boolean }
  attachments?: { id: string; contentType: string; filename?: string }[]
  headers: Record<string, string[]>
}

/** Each message is listed, shown, downloaded and found; no response is a 5xx. */
export const corpusTests: AccountTests = (open) => {
  test('a corpus of unusual messages is listed, shown and found', async () => {
    await using account = await open()
    const ids = new Map<string, string>()
    for (const [name, { raw }] of Object.entries(API_CORPUS)) ids.set(name, await account.add(raw))
    for (const [name, expected] of Object.entries(API_CORPUS)) {
      await checkMessage(account, name, ids.get(name) ?? '', expected)
    }
    const { messages, total } = await account.call<{ messages: Shown[]; total: number }>({
      path: '/messages?path=INBOX&pageSize=1000'
    })
    assert.equal(total, ids.size)
    assert.deepEqual(messages.map(({ id }) => id).toSorted(), [...ids.values()].toSorted())
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
  })

  test('common, odd and malformed messages are listed and shown', async () => {
    await using account = await open()
    const raws = Object.values(MAIL_CORPUS).filter((raw) => raw !== '')
    for (const raw of raws) await account.client.append('INBOX', Buffer.from(raw, 'latin1'))
    const { messages } = await account.call<{ messages: Shown[] }>({
      path: '/messages?path=INBOX&pageSize=1000'
    })
    assert.equal(messages.length, raws.length)
    for (const { id } of messages) {
      const shown = await account.call<Shown>({ path: `/message/${id}?webSafeHtml=true` })
      await readAll(account, shown)
    }
  })
}

async function checkMessage(
  account: MailAccount,
  name: string,
  id: string,
  expected: CorpusMessage
): Promise<void> {
  const { subject = name, plain, html = [], notHtml = [], attachments, sizes, fields } = expected
  const shown = await account.call<Shown>({ path: `/message/${id}?textType=*` })
  const safe = await account.call<Shown>({ path: `/message/${id}?webSafeHtml=true` })
  if (!name.includes('encoded words')) assert.ok(shown.subject?.startsWith(subject), name)
  if (plain !== undefined) {
    assert.equal(shown.text?.plain?.replaceAll('\r\n', '\n').trimEnd(), plain, name)
  }
  const markup = safe.text?.html ?? ''
  for (const part of html)
    assert.ok(markup.includes(part), `${name} has ${part}: ${markup.slice(0, 500)}`)
  for (const part of [...notHtml, '<script']) {
    assert.ok(!markup.toLowerCase().includes(part), `${name} has no ${part}: ${markup}`)
  }
  // Attribute values have neither quotes nor angle brackets.
  for (const [tag] of markup.matchAll(/<[^>]*>/g)) {
    assert.doesNotMatch(tag.replace(/"[^"]*"/g, ''), /\son/i, name)
  }
  if (markup !== '') assert.equal(safe.text?.webSafe, true, name)
  if (attachments !== undefined) {
    const found = (shown.attachments ?? []).map(({ contentType, filename }) =>
      filename === undefined ? [contentType] : [contentType, filename]
    )
    assert.deepEqual(found, attachments, name)
  }
  if (fields !== undefined) assert.partialDeepStrictEqual(shown, fields, name)
  const downloaded = await readAll(account, shown)
  if (sizes !== undefined) assert.deepEqual(downloaded, sizes, name)
  const search = expected.search ?? { subject: name }
  const { messages } = await account.call<{ messages: Shown[] }>({
    method: 'POST',
    path: '/search?path=INBOX&pageSize=1000',
    body: { search }
  })
  assert.ok(
    messages.some((one) => one.id === id),
    `${name} is found by ${JSON.stringify(search)}`
  )
}

/** Sizes of the attachments. */
async function readAll({ site, path, token }: MailAccount, shown: Shown): Promise<number[]> {
  const { id, text, attachments = [] } = shown
  if (text !== undefined) await site.json({ path: `${path}/text/${text.id}`, token })
  const source = await site.ask({ path: `${path}/message/${id}/source`, token })
  assert.equal(source.status, 200)
  const sizes: number[] = []
  for (const attachment of attachments.slice(0, 8)) {
    const response = await fetch(`${site.url}${path}/attachment/${attachment.id}`, {
      headers: { authorization: `Bearer ${token}` }
    })
    const { status, headers } = response
    assert.equal(status, 200)
    assert.match(String(headers.get('content-disposition')), /^attachment/)
    assert.equal(headers.get('x-injected'), null)
    sizes.push((await response.arrayBuffer()).byteLength)
  }
  return sizes
}
