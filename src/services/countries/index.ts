import { toOriginForm } from '../../kernel/request-target.ts'
import type { Service } from '../../kernel/service.ts'
import { renderError } from './contract.ts'
import { createGraphqlService } from './graphql-service.ts'
import { describeApi } from './openapi.ts'
import { countryRoutes } from './routes.ts'
import { settings } from './settings.ts'

/** I-3, the country information API: GraphQL on countries, continents and languages. */
export const countries: Service<typeof settings> = {
  name: 'countries',
  label: 'I-3',
  summary: 'GraphQL on countries, continents and languages',
  compatibleWith: 'countries.trevorblades.com',
  tryPath: '/',
  schemaPath: '/schema.graphql',
  settings,
  server: { rewriteUrl: ({ url = '' }) => toOriginForm(url) },
  renderError,
  openapi: describeApi,
  async mount(kernel, options) {
    const graphqlService = createGraphqlService(
      {
        batch: options.maxBatch,
        tokens: options.maxTokens,
        depth: options.maxDepth,
        aliases: options.maxAliases,
        cost: options.maxCost,
        report: (error) => kernel.warn(error.stack ?? error.message)
      },
      options.overlay,
      kernel.now
    )
    return {
      ...countryRoutes(graphqlService, options),
      startupNote: options.overlay && `with corrections from ${options.overlay}`
    }
  }
}
