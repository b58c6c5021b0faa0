import type { Documents } from '../../documents.ts'
import type { Operation } from '../../model/api.ts'
import type { ServedApi } from '../../served-api.ts'
import { OperationNotFound } from '../errors.ts'

export interface FoundOperation {
  served: ServedApi
  operation: Operation
}

/** Finds an operation by `POST /plants` or by its id; `document` chooses among several. */
export function findOperation(
  documents: Documents,
  name: string,
  document: string | undefined
): FoundOperation {
  for (const served of documents.apis()) {
    if (document !== undefined && document !== '' && served.label !== document) continue
    const operation =
      served.api.operations.find(({ method, path }) => `${method} ${path}` === name) ??
      served.api.operations.find(({ id }) => id === name)
    if (operation !== undefined) return { served, operation }
  }
  throw new OperationNotFound(name)
}

/** URL of the page that tries an operation. */
export function tryPath(
  documents: Documents,
  { method, path }: Pick<Operation, 'method' | 'path'>,
  document: string
): string {
  const query = new URLSearchParams({ operation: `${method} ${path.toWellFormed()}` })
  if (documents.apis().length > 1) query.set('document', document)
  return `/__nonet/try?${query}`
}
