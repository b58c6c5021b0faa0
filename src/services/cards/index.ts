import type { Service } from '../../kernel/service.ts'
import { checkCommand } from './check/command.ts'
import { typesCommand } from './content/types-command.ts'
import { renderError } from './contract.ts'
import { exportCommand } from './import-export/export/command.ts'
import { importCommand } from './import-export/run/command.ts'
import { maskPath } from './records/mask-path.ts'
import { removeSampleCommand } from './sample/remove-command.ts'
import { settings } from './settings.ts'
import { migrations, SIGNING_KEY_PURPOSE, webhookPurpose } from './store/migrations.ts'

/** I-9, cards on boards: the content of a portfolio site. */
export const cards: Service<typeof settings> = {
  name: 'cards',
  label: 'I-9',
  summary: 'keeps project cards for a portfolio site',
  compatibleWith: 'Trello',
  example: { method: 'GET', path: '/content/portfolio/cards' },
  pagePath: '/',
  hasSignIn: 'always',
  settings,
  migrations,
  hasFiles: true,
  outbox: true,
  secrets: {
    columns: [
      { table: 'signing_key', key: 'id', column: 'sealed', purpose: SIGNING_KEY_PURPOSE },
      { table: 'webhooks', key: 'id', column: 'secret', purpose: webhookPurpose }
    ]
  },
  credentials: {
    scopes: {
      read: 'read the boards of the member, drafts included',
      write: 'change and add boards, lists, cards and files',
      admin: 'delete boards and manage tokens',
      published: 'a key for web pages: reads the published cards of one board'
    },
    defaultScopes: ['read', 'write', 'admin'],
    format: 'hex',
    formats: { published: 'publishable' },
    flags: {
      member: { type: 'string', about: 'user name of the member of cards that the token is for' },
      'new-member': { type: 'boolean', about: 'add the member of cards first' },
      board: {
        type: 'string',
        about:
          'id, short link or slug of the boards of cards, comma-separated, that the token is for'
      }
    }
  },
  server: { rewriteUrl: () => '/' },
  maskPath,
  renderError,
  tools: {
    remote: {
      import: importCommand,
      export: exportCommand,
      reset: removeSampleCommand,
      check: checkCommand,
      types: typesCommand
    }
  },
  async openapi(baseUrl) {
    const { openapi } = await import('./openapi.ts')
    return openapi(baseUrl)
  },
  async mount(kernel, options) {
    const { mountCards } = await import('./mount.ts')
    return mountCards(kernel, options)
  }
}
