import { toOriginForm } from '../../kernel/request-target.ts'
import type { Service } from '../../kernel/service.ts'
import { renderError } from './contract.ts'
import { settings } from './settings.ts'

/** I-3, the country information API: GraphQL on countries, continents and languages. */
export const countries: Service<typeof settings> = {
  name: 'countries',
  label: 'I-3',
  summary: 'GraphQL on countries, continents and languages',
  compatibleWith: 'countries.trevorblades.com',
  example: {
    method: 'POST',
    path: '/',
    body: { query: '{ country(code: "BR") { name capital currency } }' }
  },
  pagePath: '/',
  schemaPath: '/schema.graphql',
  settings,
  server: { rewriteUrl: ({ url = '' }) => toOriginForm(url) },
  renderError,
  async openapi(baseUrl) {
    const { describeApi } = await import('./openapi.ts')
    return describeApi(baseUrl)
  },
  async mount(kernel, options) {
    const { mountCountries } = await import('./mount.ts')
    return mountCountries(kernel, options)
  }
}
