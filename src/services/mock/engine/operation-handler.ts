import type { Operation } from '../model/api.ts'
import { type Checker, createRequestCheck } from '../request/check.ts'
import { createMocker, type Mocker } from '../response/mocker.ts'
import { createPairing, type Pairing } from '../response/pairing.ts'
import type { Match } from '../routing/router.ts'
import type { ServedApi } from '../served-api.ts'
import type { EngineOptions } from './options.ts'

/** What is prepared for one operation. */
export interface OperationHandler {
  served: ServedApi
  operation: Operation
  checker: Checker
  mocker: Mocker
  /** Nothing for an operation whose examples have no names in common. */
  pairing: Pairing | undefined
}

export type FindOperationHandler = (match: Match<ServedApi>) => OperationHandler

/** A desk is opened at the first request: of a large document most operations are never called. */
export function createOperationHandlers(options: EngineOptions): FindOperationHandler {
  const handlers = new Map<Operation, OperationHandler>()
  return function handlerOf({ mount: served, operation }) {
    const known = handlers.get(operation)
    if (known !== undefined) return known
    const handler: OperationHandler = {
      served,
      operation,
      checker: createRequestCheck(operation, served.schemas),
      mocker: createMocker(served, operation, options),
      pairing: options.dynamic || options.ignoreExamples ? undefined : createPairing(operation)
    }
    handlers.set(operation, handler)
    return handler
  }
}
