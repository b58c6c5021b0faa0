import createError from '@fastify/error'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isForeign } from '../../kernel/admin.ts'
import type { Kernel } from '../../kernel/service.ts'
import type { Documents } from './documents.ts'
import { exampleUrl } from './example-url.ts'

export const ForeignHost = createError(
  'FOREIGN_HOST',
  'This host name is not allowed here; allow it with --allowed-host',
  421
)
export const ForeignOrigin = createError(
  'FOREIGN_ORIGIN',
  'Changes are not taken from the pages of another site',
  403
)
export const TokenMissing = createError(
  'TOKEN_MISSING',
  'The admin token printed at the start is needed: Authorization: Bearer …',
  401
)

export const ADMIN_PREFIX = '/__nonet/'

/** What `nonet mock` tells about itself; everything else belongs to the mocked API. */
export function adminRoutes(app: FastifyInstance, kernel: Kernel, documents: Documents): void {
  app.get('/__nonet/healthz', () => ({ status: 'ok' }))
  app.get('/__nonet/readyz', () => ({ status: 'ready' }))
  app.get('/__nonet/operations', (request) => {
    protect(request, kernel)
    return { operations: describeOperations(documents, kernel.baseUrl(request.raw)) }
  })
}

const SAFE_METHODS = ['GET', 'HEAD']

export function protect({ headers, raw, method }: FastifyRequest, kernel: Kernel): void {
  if (!kernel.isKnownHost(headers.host ?? '')) throw new ForeignHost()
  if (!SAFE_METHODS.includes(method) && isForeign(headers)) throw new ForeignOrigin()
  if (!kernel.isAdmin(raw)) throw new TokenMissing()
}

export interface MockedOperation {
  method: string
  path: string
  operationId: string | null
  summary: string | null
  /** The document it is in, as it was named. */
  document: string
  statuses: string[]
  /** Something to click on. */
  url: string
}

/** In the order of the documents. */
export function describeOperations(documents: Documents, base: string): MockedOperation[] {
  return documents.apis().flatMap((served) =>
    served.api.operations.map((operation) => ({
      method: operation.method,
      path: operation.path,
      operationId: operation.id ?? null,
      summary: operation.summary ?? null,
      document: served.label,
      statuses: operation.responses.map(({ code }) => code),
      url: base + exampleUrl(served, operation, documents.prefixOf(operation))
    }))
  )
}
