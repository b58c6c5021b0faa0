import type { Service } from '../../kernel/service.ts'
import { renderError } from './contract.ts'
import { settings } from './settings.ts'

/** I-5, the form-forwarding function: sends two fields to a webhook and returns its response. */
export const forms: Service<typeof settings> = {
  name: 'forms',
  label: 'I-5',
  summary: 'forwards a form to a webhook',
  compatibleWith: 'serverless form functions',
  example: {
    method: 'POST',
    path: '/',
    body: { email: 'ada@example.org', fullName: 'Ada Lovelace' }
  },
  settings,
  server: { rewriteUrl: () => '/' },
  renderError,
  async openapi(baseUrl) {
    const { openapi } = await import('./openapi.ts')
    return openapi(baseUrl)
  },
  async mount(kernel, options) {
    const { mountForms } = await import('./mount.ts')
    return mountForms(kernel, options)
  }
}
