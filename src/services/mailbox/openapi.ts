import { ERROR_PAGES, response } from '../../kernel/openapi.ts'
import { apiPaths } from './openapi/api-paths.ts'
import { API_SCHEMAS } from './openapi/api-schemas.ts'
import { sandboxPaths } from './openapi/sandbox-paths.ts'
import { SANDBOX_SCHEMAS } from './openapi/sandbox-schemas.ts'
import { toOpenapi30 } from './openapi/to-openapi-30.ts'
import { WEBHOOKS } from './openapi/webhooks.ts'

const ABOUT = `Mail accounts over HTTP, compatible with EmailEngine, and a mail server for tests: what its SMTP port receives is stored and never sent on. ${ERROR_PAGES}`

export function openapi(baseUrl: string): object {
  const health = { type: 'object', required: ['success'], properties: { success: { const: true } } }
  return {
    openapi: '3.1.0',
    info: { title: 'mailbox', version: '1', description: ABOUT },
    servers: [{ url: baseUrl }],
    paths: {
      ...apiPaths(),
      ...sandboxPaths(),
      '/health': {
        get: {
          operationId: 'health',
          summary: 'Whether the service responds',
          responses: { 200: response('It does', health) }
        }
      },
      '/openapi.json': {
        get: {
          operationId: 'openapi',
          summary: 'This document; as OpenAPI 3.0 at /swagger.json',
          responses: { 200: response('The document', { type: 'object' }) }
        }
      }
    },
    webhooks: WEBHOOKS,
    components: {
      schemas: { ...SANDBOX_SCHEMAS, ...API_SCHEMAS },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'Of an account, of nonet token create mailbox, or the admin token'
        },
        tokenInQuery: {
          type: 'apiKey',
          in: 'query',
          name: 'access_token',
          description: 'For clients that cannot send headers; other logs may show it'
        }
      }
    }
  }
}

/** The same document in the version that EmailEngine has. */
export function openapi30(baseUrl: string): object {
  return toOpenapi30(openapi(baseUrl))
}
