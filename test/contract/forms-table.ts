/** The whole I-5 table; the contract test plays it over HTTP, the client tests in every runtime. */
import type { Expected, Sent } from '../support/contract.ts'
import type { WebhookAnswer } from '../support/webhook.ts'

export interface FormRow {
  proves: string
  send: Sent
  expect: Expected
  /** Bodies that must reach the webhook by POST, to the byte; none unless told. */
  forwards?: readonly string[]
  /** The webhook cuts the connection in this row. */
  isCut?: true
}

/** Long enough that no row times out on a busy machine. */
export const TIMEOUT_MS = 60_000
/** Timeout of `TIMEOUT_ROWS`, which wait for all of it. */
export const SHORT_TIMEOUT_MS = 1000
/** Path of `TIMEOUT_ROWS`, for tests that choose the timeout by the path. */
export const SHORT_TIMEOUT_PATH = '/short'

const MEBIBYTE = 1024 * 1024

/** Chosen by the local part of the e-mail. */
export const WEBHOOK_ANSWERS: Readonly<Record<string, WebhookAnswer>> = {
  zapier: { body: '{ "status": "success",\n "attempt": "1", "nested": [1, {"a": null}] }' },
  null: { body: 'null' },
  text: { headers: { 'content-type': 'text/plain' }, body: 'Accepted' },
  number: { headers: { 'content-type': 'text/plain' }, body: '42' },
  object: { headers: { 'content-type': 'text/html' }, body: '{"a":1}' },
  broken: { headers: { 'content-type': 'application/json' }, body: '{"a":' },
  empty: { body: '' },
  nothing: { status: 204, body: '' },
  created: { status: 201, body: '{"id":7}' },
  warned: { body: '{"errors":["fine"],"id":1}' },
  refuses: { status: 400, body: '{"errors":[{"message":"no"},{"message":"never"}]}' },
  fails: { status: 503, body: '{"errors":["first","second"]}' },
  odd: { status: 422, body: '{"errors":[null,1]}' },
  unsure: { status: 422, body: '{"errors":[]}' },
  mapped: { status: 422, body: '{"errors":{"email":"taken"}}' },
  worded: { status: 422, body: '{"errors":"abc"}' },
  plain: { status: 500, body: '{"message":"no list"}' },
  nil: { status: 502, body: 'null' },
  page: { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not Found</h1>' },
  bare: { status: 401, body: '' },
  moved: { status: 302, headers: { location: '/landed' }, body: '' },
  permanent: { status: 301, headers: { location: '/landed' }, body: '' },
  other: { status: 303, headers: { location: '/landed' }, body: '' },
  landed: { body: '{"landed":true}' },
  again: { status: 307, headers: { location: '/repeated' }, body: '' },
  lasting: { status: 308, headers: { location: '/repeated' }, body: '' },
  repeated: { body: '{"repeated":true}' },
  lost: { status: 302, body: '' },
  unchanged: { status: 304, body: '' },
  elsewhere: { status: 302, headers: { location: 'ftp://example.org/' }, body: '' },
  nowhere: { status: 302, headers: { location: 'http://[' }, body: '' },
  loop: { status: 307, headers: { location: '/loop' }, body: '' },
  resets: { reset: true },
  silent: { silent: true },
  large: { body: `"${'x'.repeat(MEBIBYTE - 2)}"` },
  larger: { body: `"${'x'.repeat(MEBIBYTE - 1)}"` }
}

const JSON_HEADERS = { 'content-type': 'application/json' }

function post(body?: Sent['body'], headers: Sent['headers'] = JSON_HEADERS): Sent {
  return { method: 'POST', path: '/', headers, ...(body === undefined ? {} : { body }) }
}

function formOf(email: string): string {
  return `{"email":"${email}","fullName":"Jane Doe"}`
}

const TEXT = 'text/plain; charset=utf-8'
const JSON_TEXT = 'application/json; charset=utf-8'

function refused(text: string | RegExp): Expected {
  return { status: 500, type: TEXT, text }
}

function answered(text: string | RegExp): Expected {
  return { status: 200, type: JSON_TEXT, text }
}

/** A row in which the webhook called `name` decides. */
function webhookRow(proves: string, name: string, expect: Expected): FormRow {
  const form = formOf(`${name}@example.org`)
  return { proves, send: post(form), expect, forwards: [form] }
}

const BODY_MISSING = refused('Name and email are required.')
const EMAIL_MISSING = refused('email parameter required')
const NAME_MISSING = refused('name parameter required')

/** Every row of the seed, to the letter. */
export const SEED_ROWS: readonly FormRow[] = [
  { proves: 'a request has no body', send: post(), expect: BODY_MISSING },
  { proves: 'a body lacks email', send: post('{"fullName":"A"}'), expect: EMAIL_MISSING },
  { proves: 'a body lacks both: email is checked first', send: post('{}'), expect: EMAIL_MISSING },
  {
    proves: 'a body lacks fullName: checked second',
    send: post('{"email":"a@example.org"}'),
    expect: NAME_MISSING
  },
  {
    proves: 'the body is parsed before the fields are checked; an exception is its string form',
    send: post('{"fullName":'),
    expect: refused(/^SyntaxError: /)
  },
  webhookRow('forwarding succeeds: the data of the webhook', 'zapier', {
    ...answered('{"status":"success","attempt":"1","nested":[1,{"a":null}]}')
  }),
  webhookRow('forwarding fails: the first entry of the errors list, with 200', 'refuses', {
    ...answered('{"message":"no"}')
  })
]

function lacking(field: 'email' | 'fullName', value: string): FormRow {
  const body =
    field === 'email' ? `{"email":${value},"fullName":"A"}` : `{"email":"a","fullName":${value}}`
  return {
    proves: `${field} ${value} counts as lacking`,
    send: post(body),
    expect: field === 'email' ? EMAIL_MISSING : NAME_MISSING
  }
}

const LACKING = ['""', 'null', '0', 'false', '1', 'true', '{"a":1}', '["a@example.org"]']

/** The message names the switch and contains nothing of the body. */
const FORM_NOT_JSON =
  'SyntaxError: The body is an HTML form, not JSON; --forms-accept-forms (acceptForms in a function) accepts it'

const LATIN_FORM = Buffer.from('{"email":"a@example.org","fullName":"J\u00f6rg"}', 'latin1')

/** Charsets; some platforms reject such bodies before they call the function. */
export const CHARSET_ROWS: readonly FormRow[] = [
  ...(
    [
      ['iso-8859-1', LATIN_FORM],
      ['"Windows-1252"', LATIN_FORM],
      ['utf-16le', Buffer.from('{"email":"a@example.org","fullName":"Jörg"}', 'utf16le')],
      ['unheard-of', Buffer.from('{"email":"a@example.org","fullName":"Jörg"}')]
    ] as const
  ).map(([charset, body]) => ({
    proves: `a body with the charset ${charset} is decoded`,
    send: post(body, { 'content-type': `application/json; charset=${charset}` }),
    expect: answered('{"status":"success"}'),
    forwards: ['{"email":"a@example.org","fullName":"Jörg"}']
  })),
  {
    proves: 'bytes that are not UTF-8 are an exception, and nothing is forwarded',
    send: post(LATIN_FORM),
    expect: refused('Error: Request body is not valid utf-8')
  },
  {
    proves: 'a charset that the runtime does not know does not make other bytes UTF-8',
    send: post(LATIN_FORM, { 'content-type': 'application/json; charset=unheard-of' }),
    expect: refused('Error: Request body is not valid utf-8')
  },
  {
    proves: 'JSON with such bytes and the type of a form is JSON',
    send: post(LATIN_FORM, { 'content-type': 'application/x-www-form-urlencoded' }),
    expect: refused('Error: Request body is not valid utf-8')
  },
  {
    proves: 'a multipart form with such bytes is a form',
    send: post(LATIN_FORM.subarray(1), { 'content-type': 'multipart/form-data; boundary=x' }),
    expect: refused(FORM_NOT_JSON)
  },
  {
    proves: 'a replacement character that was sent is forwarded',
    send: post('{"email":"a@example.org","fullName":"\ufffd"}'),
    expect: answered('{"status":"success"}'),
    forwards: ['{"email":"a@example.org","fullName":"\ufffd"}']
  }
]

export const REQUEST_ROWS: readonly FormRow[] = [
  { proves: 'an empty body is no body', send: post(''), expect: BODY_MISSING },
  { proves: 'a blank body is broken JSON', send: post(' '), expect: refused(/^SyntaxError: /) },
  { proves: 'text is broken JSON', send: post('hello'), expect: refused(/^SyntaxError: /) },
  {
    proves: 'form-encoded text is broken JSON',
    send: post('email=a@example.org&fullName=A', {
      'content-type': 'application/x-www-form-urlencoded'
    }),
    expect: refused(FORM_NOT_JSON)
  },
  ...['null', '[]', '1', '0', '"x"', 'true'].map((body) => ({
    proves: `${body} is JSON that lacks email`,
    send: post(body),
    expect: EMAIL_MISSING
  })),
  ...LACKING.map((value) => lacking('email', value)),
  ...LACKING.map((value) => lacking('fullName', value)),
  {
    proves: 'one byte-order mark is skipped',
    send: post(`\ufeff${formOf('a@example.org')}`),
    expect: answered('{"status":"success"}'),
    forwards: [formOf('a@example.org')]
  },
  {
    proves: 'a second byte-order mark is not',
    send: post(`\ufeff\ufeff${formOf('a@example.org')}`),
    expect: refused(/^SyntaxError: /)
  },
  {
    proves: 'blanks are values',
    send: post('{"email":" ","fullName":" "}'),
    expect: answered('{"status":"success"}'),
    forwards: ['{"email":" ","fullName":" "}']
  },
  {
    proves: 'only the two fields leave, email first, compactly',
    send: post('{ "admin": true, "fullName": "Zoë \\"Z\\"", "x": {}, "email": "z@example.org" }'),
    expect: answered('{"status":"success"}'),
    forwards: ['{"email":"z@example.org","fullName":"Zoë \\"Z\\""}']
  },
  {
    proves: 'of duplicate keys the last wins',
    send: post('{"email":"one@example.org","email":"two@example.org","fullName":"A"}'),
    expect: answered('{"status":"success"}'),
    forwards: ['{"email":"two@example.org","fullName":"A"}']
  },
  {
    proves: 'fields of __proto__ are nobody’s fields',
    send: post('{"__proto__":{"email":"a@example.org","fullName":"A"}}'),
    expect: EMAIL_MISSING
  },
  {
    proves: 'a body of 64 KiB is taken',
    send: post(sized(64 * 1024)),
    expect: answered('{"status":"success"}'),
    forwards: [sized(64 * 1024)]
  },
  {
    proves: 'a body one byte over 64 KiB is too large',
    send: post(sized(64 * 1024 + 1)),
    expect: refused('Error: Request body too large')
  },
  {
    proves: 'the size is counted in bytes, not characters',
    send: post(`{"email":"a","fullName":"${'ä'.repeat(40_000)}"}`),
    expect: refused('Error: Request body too large')
  },
  {
    proves: 'answers are not sniffed, stored or run',
    send: post(),
    expect: {
      status: 500,
      headers: {
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'",
        'access-control-allow-origin': null,
        vary: null
      }
    }
  },
  {
    proves: 'JSON answers are not sniffed, stored or run',
    send: post(formOf('a@example.org')),
    expect: {
      status: 200,
      headers: {
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'"
      }
    },
    forwards: [formOf('a@example.org')]
  },
  {
    proves: 'OPTIONS without a body is the first row',
    send: { method: 'OPTIONS', path: '/', headers: { origin: 'https://www.example.org' } },
    expect: { ...BODY_MISSING, headers: { 'access-control-allow-origin': null } }
  },
  {
    proves: 'PUT is answered like POST',
    send: { ...post(formOf('put@example.org')), method: 'PUT' },
    expect: answered('{"status":"success"}'),
    forwards: [formOf('put@example.org')]
  }
]

function sized(bytes: number): string {
  const empty = '{"email":"a","fullName":""}'
  return `{"email":"a","fullName":"${'x'.repeat(bytes - empty.length)}"}`
}

export const WEBHOOK_ROWS: readonly FormRow[] = [
  webhookRow('JSON null is data', 'null', answered('null')),
  webhookRow('text is data', 'text', answered('"Accepted"')),
  webhookRow('text that is JSON is parsed', 'number', answered('42')),
  webhookRow('the content type does not matter', 'object', answered('{"a":1}')),
  webhookRow('broken JSON is its own text', 'broken', answered('"{\\"a\\":"')),
  webhookRow('an empty answer is empty text', 'empty', answered('""')),
  webhookRow('204 is empty text', 'nothing', answered('""')),
  webhookRow('201 is a success', 'created', answered('{"id":7}')),
  webhookRow('a success with errors is whole', 'warned', answered('{"errors":["fine"],"id":1}')),
  webhookRow('an entry may be text', 'fails', answered('"first"')),
  webhookRow('an entry may be null', 'odd', answered('null')),
  webhookRow('an empty list has null first', 'unsure', answered('null')),
  ...[
    ['an object is no list', 'mapped', 422],
    ['text is no list', 'worded', 422],
    ['JSON without a list', 'plain', 500],
    ['JSON null', 'nil', 502],
    ['HTML', 'page', 404],
    ['an empty refusal', 'bare', 401],
    ['a redirect to nowhere', 'lost', 302],
    ['304', 'unchanged', 304],
    ['a redirect to another scheme', 'elsewhere', 302],
    ['a redirect to a broken address', 'nowhere', 302]
  ].map(([proves, name, status]) =>
    webhookRow(
      `${proves} is a failure with its status`,
      String(name),
      refused(`Error: Request failed with status code ${status}`)
    )
  ),
  webhookRow('302 is followed with GET', 'moved', answered('{"landed":true}')),
  webhookRow('301 is followed with GET', 'permanent', answered('{"landed":true}')),
  webhookRow('303 is followed with GET', 'other', answered('{"landed":true}')),
  ...['again', 'lasting'].map((name) => ({
    ...webhookRow(`${name}: posted again to the same origin`, name, answered('{"repeated":true}')),
    forwards: [formOf(`${name}@example.org`), formOf(`${name}@example.org`)]
  })),
  {
    ...webhookRow(
      'five redirects are followed, no more',
      'loop',
      refused('Error: Too many redirects')
    ),
    forwards: Array.from({ length: 6 }, () => formOf('loop@example.org'))
  },
  {
    ...webhookRow(
      'a cut connection names a code',
      'resets',
      refused(/^Error: Webhook unreachable \(\w+\)$/)
    ),
    isCut: true
  },
  webhookRow('an answer of 1 MiB is taken', 'large', answered(/^"x{1048574}"$/)),
  webhookRow('a larger answer is not', 'larger', refused('Error: Webhook response too large'))
]

const silent = webhookRow(
  'silence ends in time',
  'silent',
  refused(`Error: Webhook timed out after ${SHORT_TIMEOUT_MS} ms`)
)

/** Rows for a function whose timeout is `SHORT_TIMEOUT_MS`. */
export const TIMEOUT_ROWS: readonly FormRow[] = [
  { ...silent, send: { ...silent.send, path: SHORT_TIMEOUT_PATH } }
]

/** Rows for a function whose timeout is `TIMEOUT_MS`. */
export const ALL_ROWS = [...SEED_ROWS, ...REQUEST_ROWS, ...WEBHOOK_ROWS]
