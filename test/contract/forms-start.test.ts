/** What keeps forms from starting, and what it warns of. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { configure, fromObject } from '../../src/host/configuration.ts'
import { openHost } from '../../src/host/host.ts'

interface Started {
  warnings: readonly string[]
  remark: string | undefined
}

async function startWith(options: object): Promise<Started> {
  const warnings: string[] = []
  const configuration = configure(
    { portBase: 0, ephemeral: true },
    fromObject({ services: ['forms'], ...options }, 'the test')
  )
  const host = await openHost(configuration, {
    requestLog: undefined,
    warn: (text) => warnings.push(text),
    onUnexpectedError: (_service, error) => assert.fail(error)
  })
  await host.stop()
  return { warnings, remark: host.services[0]?.startupNote }
}

const SECRET = `whsec_${Buffer.alloc(24).toString('base64')}`

const REFUSED: readonly [why: string, options: object, sentence: RegExp][] = [
  ['no webhook and no console', { console: false }, /^forms has no webhook: set --forms-webhook/],
  ...[
    'nonsense',
    'ftp://example.org/',
    'https://user@example.org/',
    'https://:pass@example.org/'
  ].map((webhook): [string, object, RegExp] => [
    `the webhook ${webhook}`,
    { forms: { webhook } },
    /^--forms-webhook must be an http or https URL without a user name$/
  ]),
  [
    'a private webhook',
    { forms: { webhook: 'https://169.254.169.254/hooks/s3cret-abcd' } },
    /^--forms-webhook https:\/\/169\.254\.169\.254\/…abcd has a private IP address; allow it with --outbound-allow$/
  ],
  [
    'a loopback webhook beyond loopback',
    { lan: true, forms: { webhook: 'http://[::1]:1/abcd' } },
    /has a private IP address/
  ],
  ...[
    'whsec_',
    'secret',
    `whsec_${btoa('short')}`,
    `whsec_${btoa('x'.repeat(65))}`,
    `${SECRET}A`
  ].map((signingSecret): [string, object, RegExp] => [
    `the signing secret ${signingSecret.slice(0, 20)}`,
    { forms: { signingSecret } },
    /^--forms-signing-secret must be whsec_/
  ]),
  ['one bad secret of two', { forms: { signingSecret: `${SECRET} x` } }, /^--forms-signing-secret/],
  ...['https://www.example.org/', 'www.example.org', 'https://www.example.org/form'].map(
    (origin): [string, object, RegExp] => [
      `the origin ${origin}`,
      { forms: { origins: ['https://fine.example', origin] } },
      /^--forms-origins must be origins/
    ]
  ),
  [
    'an enforced origin without origins',
    { forms: { enforceOrigin: true } },
    /^--forms-enforce-origin/
  ],
  [
    'a page without forms',
    { forms: { redirectSuccess: '/thanks' } },
    /require --forms-accept-forms$/
  ],
  [
    'an error page without forms',
    { forms: { redirectError: '/sorry' } },
    /require --forms-accept-forms$/
  ],
  ...['thanks', '//evil.example', '/\\evil.example', 'javascript:alert(1)'].map(
    (redirectError): [string, object, RegExp] => [
      `the page ${redirectError}`,
      { forms: { acceptForms: true, redirectError } },
      /must be an http or https URL or a \/path$/
    ]
  )
]

describe('forms does not start with', () => {
  for (const [why, options, sentence] of REFUSED) {
    test(why, async () => {
      await assert.rejects(startWith(options), (error: Error) => {
        assert.equal(error.name, 'UserError')
        assert.match(error.message, sentence)
        assert.doesNotMatch(error.message, /s3cret/)
        return true
      })
    })
  }
})

const PLAIN_HTTP = /plain http/
const OPEN_PORT = /anyone who can reach this port/

const WARNED: readonly [when: string, options: object, warnings: readonly RegExp[]][] = [
  ['on loopback with the sample webhook', {}, []],
  ['with an https webhook', { forms: { webhook: 'https://hooks.example/s3cret' } }, []],
  ['with an http webhook here', { forms: { webhook: 'http://localhost:1/s3cret' } }, []],
  [
    'with an http webhook elsewhere',
    { forms: { webhook: 'http://hooks.example/s3cret' } },
    [PLAIN_HTTP]
  ],
  ['beyond loopback', { lan: true }, [OPEN_PORT]],
  ['beyond loopback with origins', { lan: true, forms: { origins: ['*'] } }, []],
  ['beyond loopback with a honeypot', { lan: true, forms: { honeypot: 'x' } }, []],
  ['beyond loopback with a rate limit', { lan: true, forms: { rateLimit: 5 } }, []],
  ['beyond loopback with both', { lan: true, forms: { origins: ['*'], rateLimit: 1 } }, []],
  [
    'with everything in order',
    {
      forms: {
        signingSecret: `${SECRET}  ${SECRET}`,
        origins: ['https://a.example'],
        enforceOrigin: true,
        acceptForms: true,
        redirectSuccess: 'https://a.example/x'
      }
    },
    []
  ]
]

describe('forms warns', () => {
  for (const [when, options, expected] of WARNED) {
    test(`${when}: ${expected.length} times`, async () => {
      const { warnings } = await startWith(options)
      assert.equal(warnings.length, expected.length, warnings.join('\n'))
      for (const [index, pattern] of expected.entries())
        assert.match(warnings[index] ?? '', pattern)
      for (const text of warnings) assert.doesNotMatch(text, /s3cret/)
    })
  }
})

test('the start line says where submissions go, but not the address', async () => {
  const webhook = 'https://hooks.example/s3cret'
  assert.equal((await startWith({})).remark, 'shown on the console until you set one')
  assert.equal((await startWith({ forms: { webhook } })).remark, undefined)
})
