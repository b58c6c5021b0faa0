import type { Operation } from '../model/api.ts'
import { type Checker, createRequestCheck } from '../request/check.ts'
import { createMocker, type Mocker } from '../response/mocker.ts'
import { createPairing, type Pairing } from '../response/pairing.ts'
import type { Match } from '../routing/router.ts'
import type { ServedApi } from '../served-api.ts'
import type { EngineOptions } from './options.ts'

/** Prepared parts of one operation. */
export interface OperationHandler {
  served: ServedApi
  operation: Operation
  checker: Checker
  mocker: Mocker
  /** Undefined if examples are not used, or if those of request and response share no names. */
  pairing: Pairing | undefined
}

export type FindOperationHandler = (match: Match<ServedApi>) => OperationHandler

/**
 * Handlers are created on the first request, because most operations of a large document are never
 * called.
 */
export function createOperationHandlers(options: EngineOptions): FindOperationHandler {
  const handlers = new Map<Operation, OperationHandler>()
  return function handlerOf({ mount: served, operation }) {
    const known = handlers.get(operation)
    if (known !== undefined) return known
    const handler: OperationHandler = {
      served,
      operation,
      checker: createRequestCheck(operation, served.schemas),
      mocker: createMocker(served, operation, options, () => {}),
      pairing: options.dynamic || options.ignoreExamples ? undefined : createPairing(operation)
    }
    handlers.set(operation, handler)
    return handler
  }
}
