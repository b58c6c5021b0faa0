import type { Service } from '../../kernel/service.ts'
import { renderError } from './contract.ts'
import { exportCommand } from './export/command.ts'
import { importCommand } from './import/command.ts'
import { removeSampleCommand } from './sample/remove-command.ts'
import { settings } from './settings.ts'
import { migrations } from './store/migrations.ts'

/** I-7, public posts: found by their id alone, whatever user name the URL has. */
export const statuses: Service<typeof settings> = {
  name: 'statuses',
  label: 'I-7',
  summary: 'keeps public posts at their old URLs',
  compatibleWith: 'links to posts on X',
  example: { method: 'GET', path: '/api/tweet/1967312943120908289' },
  pagePath: '/',
  settings,
  migrations,
  hasFiles: true,
  credentials: {
    scopes: {
      read: 'read own posts, hidden ones included',
      write: 'post, hide, change and delete'
    },
    defaultScopes: ['read', 'write'],
    format: 'nonet',
    flags: {
      account: {
        type: 'string',
        about: 'user name of the account of statuses that the token is for'
      },
      'new-account': { type: 'boolean', about: 'add the account of statuses first' }
    }
  },
  server: { rewriteUrl: () => '/' },
  renderError,
  tools: { remote: { import: importCommand, export: exportCommand, reset: removeSampleCommand } },
  async openapi(baseUrl) {
    const { openapi } = await import('./openapi.ts')
    return openapi(baseUrl)
  },
  async mount(kernel, options) {
    const { mountStatuses } = await import('./mount.ts')
    return mountStatuses(kernel, options)
  }
}
