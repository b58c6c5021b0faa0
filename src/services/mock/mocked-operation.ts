import type { ExampleRequest } from '../../kernel/service.ts'
import type { Documents } from './documents.ts'
import { exampleUrl } from './example-url.ts'

export interface MockedOperation {
  method: string
  path: string
  operationId: string | null
  summary: string | null
  /** The document that contains the operation, as named by the operator. */
  document: string
  statuses: string[]
  /** URL of an example request. */
  url: string
}

/** Operations in the order of the documents. */
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

/** The first operation that needs no body; undefined if the documents have none. */
export function findExample(documents: Documents): ExampleRequest | undefined {
  for (const served of documents.apis()) {
    const operation = served.api.operations.find(({ method }) => method === 'GET')
    if (operation === undefined) continue
    return { method: 'GET', path: exampleUrl(served, operation, documents.prefixOf(operation)) }
  }
  return undefined
}
