import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FormConfig, type FormInput, forward } from './forward.ts'

const FORM = '{"email":"jane@example.org","fullName":"Jane Doe"}'

/** Forwards inputs as function platforms pass them; the webhook accepts everything. */
async function check(input: FormInput, text: string, config: Partial<FormConfig> = {}) {
  const sent: (string | undefined)[] = []
  const response = await forward(
    input,
    { webhook: 'https://hooks.example/', ...config },
    {
      async send(_url, { body }) {
        sent.push(body)
        return new Response('"taken"')
      }
    }
  )
  assert.equal(response.body, text)
  return sent
}

test('a missing body is undefined, null, an empty string or no bytes', async () => {
  for (const rawBody of [undefined, null, '', new Uint8Array()]) {
    assert.deepEqual(await check({ rawBody }, 'Name and email are required.'), [])
    await check({ rawBody, isBase64: true }, 'Name and email are required.')
  }
})

test('base64 is decoded only when it is announced', async () => {
  const rawBody = Buffer.from(FORM).toString('base64')
  assert.deepEqual(await check({ rawBody, isBase64: true }, '"taken"'), [FORM])
  const plain = await forward({ rawBody, isBase64: false }, { webhook: 'https://hooks.example/' })
  assert.match(plain.body, /^SyntaxError: /)
})

test('invalid base64 is an exception like any other', async () => {
  const { status, body } = await forward({ rawBody: '%', isBase64: true }, { webhook: undefined })
  assert.equal(status, 500)
  assert.match(body, /^InvalidCharacterError: /)
})

test('the size counts decoded bytes', async () => {
  const rawBody = Buffer.from(FORM).toString('base64')
  const size = { maxBytes: FORM.length }
  assert.deepEqual(await check({ rawBody, isBase64: true }, '"taken"', size), [FORM])
  const less = { maxBytes: FORM.length - 1 }
  await check({ rawBody, isBase64: true }, 'Error: Request body too large', less)
})

test('fields are checked before the webhook is', async () => {
  await check({ rawBody: '{}' }, 'email parameter required', { webhook: undefined })
  await check({ rawBody: FORM }, 'Error: Webhook is not configured', { webhook: undefined })
})

test('nothing is sent if the signing secret is invalid', async () => {
  const sent = await check({ rawBody: FORM }, 'Error: Signing secret is not valid', {
    signingSecret: 'whsec_short'
  })
  assert.deepEqual(sent, [])
})

test('binary multipart survives base64', async () => {
  const head = '--b\r\nContent-Disposition: form-data; name="'
  const body = `${head}email"\r\n\r\na\r\n${head}fullName"\r\n\r\nZoë\r\n--b--\r\n`
  const sent = await check(
    {
      rawBody: Buffer.from(body).toString('base64'),
      isBase64: true,
      contentType: 'multipart/form-data; boundary=b'
    },
    '"taken"',
    { acceptForms: true }
  )
  assert.deepEqual(sent, ['{"email":"a","fullName":"Zoë"}'])
})

test('a file is not a string', async () => {
  const head = '--b\r\nContent-Disposition: form-data; name="'
  const rawBody = `${head}email"; filename="x"\r\n\r\na\r\n--b--\r\n`
  await check(
    { rawBody, contentType: 'multipart/form-data; boundary=b' },
    'email parameter required',
    {
      acceptForms: true
    }
  )
})
