import type { Service } from '../../kernel/service.ts'
import { maskPath } from './api/mask-path.ts'
import { renderError } from './contract.ts'
import { settings } from './settings.ts'
import {
  accountPurpose,
  CERTIFICATE_PURPOSE,
  migrations,
  passwordPurpose,
  receiverPurpose,
  settingPurpose
} from './store/migrations.ts'
import { copyTokenDetails } from './store/tokens.ts'
import { WATCH_LOCK } from './watch/watch-lock.ts'

/** I-6, mail accounts over HTTP, with a mail server to try them with. */
export const mailbox: Service<typeof settings> = {
  name: 'mailbox',
  label: 'I-6',
  summary: 'mail accounts over HTTP; catches mail',
  compatibleWith: 'EmailEngine',
  example: { method: 'GET', path: '/v1/sandbox/messages' },
  pagePath: '/',
  hasSignIn: 'outside',
  settings,
  // Ids of texts have up to 10240 characters.
  server: { routerOptions: { maxParamLength: 16_384 } },
  migrations,
  hasFiles: true,
  outbox: true,
  locks: { [WATCH_LOCK]: 'mail accounts are watched' },
  ports: [
    { name: 'imap', offset: 143, summary: 'IMAP of the sandbox', hostSetting: 'sandboxHost' },
    { name: 'smtp', offset: 25, summary: 'SMTP of the sandbox', hostSetting: 'sandboxHost' }
  ],
  secrets: {
    columns: [
      { table: 'sandbox_accounts', key: 'id', column: 'password', purpose: passwordPurpose },
      { table: 'accounts', key: 'id', column: 'secrets', purpose: accountPurpose },
      { table: 'settings', key: 'name', column: 'secret', purpose: settingPurpose },
      { table: 'events', key: 'id', column: 'receiver', purpose: receiverPurpose },
      { table: 'sandbox_certificate', key: 'id', column: 'key', purpose: CERTIFICATE_PURPOSE }
    ]
  },
  credentials: {
    scopes: {
      api: 'read and change the mail of its accounts, and send mail',
      metrics: 'read the metrics'
    },
    defaultScopes: ['api'],
    format: 'hexBytes',
    flags: {
      account: {
        type: 'string',
        about: 'ids or addresses of the accounts of mailbox, comma-separated, that the token is for'
      },
      admin: { type: 'boolean', about: 'a token of mailbox for all accounts' }
    },
    onReplace: copyTokenDetails
  },
  maskPath,
  renderError,
  async openapi(baseUrl) {
    const { openapi } = await import('./openapi.ts')
    return openapi(baseUrl)
  },
  async mount(kernel, options) {
    const { mountMailbox } = await import('./mount.ts')
    return mountMailbox(kernel, options)
  }
}
