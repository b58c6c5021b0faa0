import type { Kernel, Mounted } from '../../kernel/service.ts'
import { createGraphqlService } from './graphql-service.ts'
import { countryRoutes } from './routes.ts'
import type { CountryOptions } from './settings.ts'

export function mountCountries(kernel: Kernel, options: CountryOptions): Mounted {
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
    ...countryRoutes(graphqlService, options, (request) => kernel.frame(kernel.baseUrl(request))),
    startupNote: options.overlay && `with corrections from ${options.overlay}`
  }
}
