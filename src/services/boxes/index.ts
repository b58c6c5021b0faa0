import type { Service } from '../../kernel/service.ts'
import { renderError } from './contract.ts'
import { remoteCommands } from './import-export/commands.ts'
import { settings } from './settings.ts'
import { derived } from './store/derived.ts'
import { migrations } from './store/migrations.ts'

/** I-2, the JSON storage API: records are returned exactly as they were sent. */
export const boxes: Service<typeof settings> = {
  name: 'boxes',
  label: 'I-2',
  summary: 'stores JSON records exactly as sent',
  compatibleWith: 'jsonbox.io',
  example: { method: 'POST', path: '/guest-book', body: { name: 'Ada', message: 'Hello' } },
  pagePath: '/',
  settings,
  migrations,
  derived,
  server: { rewriteUrl: () => '/' },
  renderError,
  async openapi(baseUrl) {
    const { openapi } = await import('./openapi/openapi.ts')
    return openapi(baseUrl)
  },
  tools: { remote: remoteCommands },
  async mount(kernel, options) {
    const { mountBoxes } = await import('./mount.ts')
    return mountBoxes(kernel, options)
  }
}
