import type { Service } from '../../kernel/service.ts'
import { ACCESS_COOKIE, REFRESH_COOKIE } from './api/auth/bearer.ts'
import { renderError } from './contract.ts'
import { settings } from './settings.ts'
import { migrations } from './store/migrations.ts'
import { PUPIL_COOKIE } from './workspace/pupil-cookie.ts'

/** I-4, the front-end test API: an application whose errors a client can select. */
export const scenarios: Service<typeof settings> = {
  name: 'scenarios',
  label: 'I-4',
  summary: 'logins, lists and failures on demand',
  compatibleWith: 'ReqRes',
  example: {
    method: 'POST',
    path: '/api/login',
    body: { email: 'eve.holt@reqres.in', password: 'cityslicka' }
  },
  pagePath: '/',
  settings,
  migrations,
  cookies: [ACCESS_COOKIE, REFRESH_COOKIE, PUPIL_COOKIE],
  server: { rewriteUrl: () => '/' },
  renderError,
  async openapi(baseUrl) {
    const { openapi } = await import('./openapi/openapi.ts')
    return openapi(baseUrl)
  },
  async mount(kernel, options) {
    const { mountScenarios } = await import('./mount.ts')
    return mountScenarios(kernel, options)
  }
}
