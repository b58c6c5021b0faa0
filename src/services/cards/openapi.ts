import { apiOpenapi, SECURITY_SCHEMES } from './api/openapi-api.ts'
import { contentOpenapi } from './content/openapi-content.ts'
import { IMAGE_PATHS } from './files/openapi-images.ts'

export function openapi(baseUrl: string): object {
  const api = apiOpenapi()
  const content = contentOpenapi()
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cards on boards',
      version: '1',
      description:
        'Routes below /content are for web sites. Routes below /1 are those of Trello: parameters may be in the query or in the body; a first segment in the singular, any case and trailing slashes are the same route.'
    },
    servers: [{ url: baseUrl }],
    paths: { ...content.paths, ...IMAGE_PATHS, ...api.paths },
    components: {
      schemas: { ...api.schemas, ...content.schemas },
      securitySchemes: SECURITY_SCHEMES
    }
  }
}
