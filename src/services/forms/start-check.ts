import { UserError } from '../../kernel/errors.ts'
import type { Kernel, Options } from '../../kernel/service.ts'
import { maskUrl } from './mask-url.ts'
import type { settings } from './settings.ts'
import { findKeys } from './signature.ts'
import { findWebhook } from './webhook.ts'

export type FormOptions = Options<typeof settings>

/** Throws if the options are invalid or make every request fail; the message names the flag. */
export function checkOptions(options: FormOptions, kernel: Kernel): void {
  checkWebhook(options.webhook, kernel)
  for (const [isWrong, sentence] of misfits(options)) {
    if (isWrong) throw new UserError(sentence)
  }
  const isOpen = options.origins.length + options.rateLimit === 0 && options.honeypot === undefined
  if (isOpen && !kernel.loopback) {
    kernel.warn(
      'anyone who can reach this port can post to the webhook; see --forms-origins, ' +
        '--forms-honeypot and --forms-rate-limit'
    )
  }
}

function checkWebhook(webhook: string | undefined, kernel: Kernel): void {
  if (webhook === undefined) {
    if (kernel.consoleEndpoint !== undefined) return
    throw new UserError('forms has no webhook: set --forms-webhook <url>')
  }
  const url = findWebhook(webhook)
  if (url === undefined) {
    throw new UserError('--forms-webhook must be an http or https URL without a user name')
  }
  if (kernel.outbound.isBlocked(webhook)) {
    throw new UserError(
      `--forms-webhook ${maskUrl(url)} has a private IP address; allow it with --outbound-allow`
    )
  }
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    kernel.warn(
      `the webhook ${maskUrl(url)} uses plain http: names and email addresses are sent unencrypted`
    )
  }
}

function isThisMachine(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname)
}

function misfits(options: FormOptions): readonly [boolean, string][] {
  const { signingSecret, origins, enforceOrigin, acceptForms, fields, honeypot } = options
  const pages = [options.redirectSuccess, options.redirectError].filter(
    (page) => page !== undefined
  )
  return [
    [
      signingSecret !== undefined && findKeys(signingSecret) === undefined,
      '--forms-signing-secret must be whsec_ followed by 24 to 64 bytes in base64'
    ],
    [
      !origins.every(isOrigin),
      '--forms-origins must be origins such as https://www.example.org, without a path'
    ],
    [
      enforceOrigin && origins.length === 0,
      '--forms-enforce-origin rejects every page unless --forms-origins is set'
    ],
    [
      honeypot !== undefined && fields.includes(honeypot),
      '--forms-fields must not contain the field of --forms-honeypot, which is never forwarded'
    ],
    [
      pages.length > 0 && !acceptForms,
      '--forms-redirect-success and --forms-redirect-error require --forms-accept-forms'
    ],
    [
      !pages.every(isPage),
      '--forms-redirect-success and --forms-redirect-error must be an http or https URL or a /path'
    ]
  ]
}

function isOrigin(origin: string): boolean {
  return origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin)
}

function isPage(page: string): boolean {
  const isPath = /^\/(?![/\\])/.test(page)
  return isPath || (URL.canParse(page) && /^https?:$/.test(new URL(page).protocol))
}
