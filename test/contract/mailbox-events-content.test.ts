/** What the event of a new message contains, by the settings. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  changeSettings,
  type LoggedEvent,
  untilLogged,
  watchedAccount
} from './mailbox-events-site.ts'
import { ADMIN_TOKEN, type NewAccount, sandboxes } from './mailbox-site.ts'

const CSV = Buffer.from('one,two\r\n1,2\r\n')
const LARGE = Buffer.alloc(3000, 'x')

/** With plain text, HTML that has a script, and two attachments. */
function message(subject: string, more: readonly string[] = []): string {
  return [
    'From: Zoe <zoe@example.test>',
    'To: Ada <ada@example.test>',
    `Subject: ${subject}`,
    `Message-ID: <${subject}@example.test>`,
    'X-Priority: 1',
    'X-Custom: =?utf-8?q?sch=C3=B6n?=',
    ...more,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: multipart/alternative; boundary=c',
    '',
    '--c',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Grüße aus Tallinn',
    '--c',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p onclick="x()">Grüße</p><script>alert(1)</script>',
    '--c--',
    ...attachment('numbers.csv', CSV),
    ...attachment('large.bin', LARGE),
    '--b--',
    ''
  ].join('\r\n')
}

function attachment(name: string, content: Buffer): string[] {
  return [
    '--b',
    `Content-Type: application/octet-stream; name=${name}`,
    `Content-Disposition: attachment; filename=${name}`,
    'Content-Transfer-Encoding: base64',
    '',
    content.toString('base64').replace(/.{76}/g, '$&\r\n')
  ]
}

interface Data extends Record<string, unknown> {
  headers?: Record<string, string[]>
  text: { id: string; plain?: string; html?: string; hasMore?: boolean; webSafe?: boolean }
  attachments: { filename: string; content?: string; encoding?: string }[]
}

const NOTIFY = [
  'notifyHeaders',
  'notifyText',
  'notifyTextSize',
  'notifyWebSafeHtml',
  'notifyAttachments',
  'notifyAttachmentSize'
]

sandboxes('I-6, events of new messages', {}, (sandbox) => {
  let ada: NewAccount | undefined
  let count = 0

  /** Resolves to `data` of its event, by these settings; all others have their defaults. */
  async function arrive(settings: object, source: string): Promise<Data> {
    ada ??= await watchedAccount(sandbox())
    const { account, address } = ada
    const defaults = Object.fromEntries(NOTIFY.map((name) => [name, null]))
    await changeSettings(sandbox(), { ...defaults, ...settings })
    await sandbox().deliver({ to: [address], source })
    const events = await untilLogged(sandbox(), { account, event: 'messageNew' }, ++count)
    return (events[0] as LoggedEvent).data as Data
  }
  after(() => {
    ada = undefined
  })

  test('an event has the entry of the message without its content', async () => {
    const data = await arrive({}, message('Plain'))
    const { account = '' } = ada ?? {}
    const path = `/v1/account/${account}/message/${data.id}`
    const shown = await sandbox().json({ path, token: ADMIN_TOKEN })
    const { headers: _, specialUse: __, ...entry } = shown
    assert.deepEqual(data, { ...entry, seemsLikeNew: true })
    assert.equal(data.headers, undefined)
    assert.deepEqual(Object.keys(data.text).toSorted(), ['encodedSize', 'id'])
    assert.ok(data.attachments.every(({ content }) => content === undefined))
  })

  test('header fields are those of the settings, or all', async () => {
    const some = { notifyHeaders: ['X-Priority', 'x-custom', 'x-none', '__proto__'] }
    const { headers } = await arrive(some, message('Some'))
    assert.deepEqual(headers, { 'x-priority': ['1'], 'x-custom': ['schön'] })
    const all = await arrive({ notifyHeaders: '*' }, message('All'))
    assert.deepEqual(all.headers?.subject, ['All'])
    assert.ok(Object.keys(all.headers ?? {}).length >= 6)
  })

  test('texts are included up to their size, and HTML is made safe if wanted', async () => {
    const whole = await arrive({ notifyText: true }, message('Whole'))
    assert.equal(whole.text.plain?.trim(), 'Grüße aus Tallinn')
    assert.match(whole.text.html ?? '', /<script>/)
    assert.equal(whole.text.hasMore, false)
    const cut = await arrive({ notifyText: true, notifyTextSize: 4 }, message('Cut'))
    assert.deepEqual([cut.text.plain, cut.text.hasMore], ['Grü', true])
    const safe = await arrive({ notifyText: true, notifyWebSafeHtml: true }, message('Safe'))
    assert.match(safe.text.html ?? '', /<p>Grüße<\/p>/)
    assert.doesNotMatch(safe.text.html ?? '', /script|onclick/)
    assert.equal(safe.text.webSafe, true)
  })

  test('attachments are included up to their size', async () => {
    const rules = { notifyAttachments: true, notifyAttachmentSize: 2000 }
    const { attachments } = await arrive(rules, message('Attached'))
    const [small, large] = attachments
    assert.deepEqual(
      [small?.filename, small?.encoding, Buffer.from(small?.content ?? '', 'base64').toString()],
      ['numbers.csv', 'base64', CSV.toString()]
    )
    assert.deepEqual([large?.filename, large?.content], ['large.bin', undefined])
    const both = await arrive({ notifyAttachments: true }, message('Both'))
    assert.deepEqual(Buffer.from(both.attachments[1]?.content ?? '', 'base64'), LARGE)
  })

  test('an automatic reply names the message that it replies to', async () => {
    const more = ['Auto-Submitted: auto-replied', 'In-Reply-To: <question@example.test>']
    const data = await arrive({}, message('Away', more))
    assert.deepEqual([data.isAutoReply, data.relatedMessageId], [true, '<question@example.test>'])
  })

  test('settings of events have defaults, and wrong ones are rejected', async () => {
    const read = (names: readonly string[]) =>
      sandbox().json({
        path: `/v1/settings?${names.map((name) => `${name}=true`).join('&')}`,
        token: ADMIN_TOKEN
      })
    await changeSettings(sandbox(), Object.fromEntries(NOTIFY.map((name) => [name, null])))
    const names = [...NOTIFY, 'webhookEvents', 'webhooksEnabled', 'inboxNewOnly', 'imapIndexer']
    assert.deepEqual(await read(names), {
      notifyHeaders: [],
      notifyText: false,
      notifyTextSize: 2 * 1024 * 1024,
      notifyWebSafeHtml: false,
      notifyAttachments: false,
      notifyAttachmentSize: 5 * 1024 * 1024,
      webhookEvents: ['*'],
      webhooksEnabled: false,
      inboxNewOnly: false,
      imapIndexer: 'full'
    })
    const { eventTypes } = (await read(['eventTypes'])) as { eventTypes: string[] }
    assert.ok(eventTypes.includes('messageNew') && eventTypes.length === 16)
    const wrong: [key: string, value: unknown][] = [
      ['webhookEvents.0', 'trackOpen'],
      ['webhookEvents', Array(101).fill('messageNew')],
      ['notifyHeaders.0', 'a b'],
      ['notifyTextSize', -1],
      ['notifyTextSize', 100 * 1024 * 1024],
      ['notifyAttachmentSize', 1e9],
      ['notifyCalendarEvents', true],
      ['imapIndexer', 'slow'],
      ['eventTypes', ['messageNew']]
    ]
    for (const [key, value] of wrong) {
      const name = key.split('.')[0] ?? ''
      const rejected = await changeSettings(sandbox(), { [name]: value }, 400)
      const { fields } = rejected as { fields: { key: string }[] }
      assert.deepEqual(
        fields.map((field) => field.key),
        [key]
      )
    }
  })
})
