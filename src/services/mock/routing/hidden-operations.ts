import type { Operation } from '../model/api.ts'
import { compareLiteralness, literalnessOf } from './literalness.ts'
import { routedPath } from './mounted-operations.ts'
import { parseSegments, shapeOf } from './segments.ts'

export interface HiddenOperation {
  operation: Operation
  /** The operation that gets its requests. */
  winner: Operation
  /** Whether it is hidden everywhere; otherwise a server that only it has leads to it. */
  isUnreachable: boolean
}

/** Operations of one document whose requests all match another one that takes precedence. */
export function findHidden(operations: readonly Operation[]): HiddenOperation[] {
  const groups = Map.groupBy(operations, keyOf)
  return [...groups.values()].flatMap((group) => {
    const winner = group.reduce((best, one) => (isBefore(best, one) ? best : one))
    return group
      .filter((operation) => operation !== winner)
      .map((operation) => ({
        operation,
        winner,
        isUnreachable: operation.servers.every(({ url }) =>
          winner.servers.some((server) => server.url === url)
        )
      }))
  })
}

/** Equal for operations that match the same requests; two adjacent parameters match as one does. */
function keyOf(operation: Operation): string {
  const shape = shapeOf(segmentsOf(operation)).replace(/(?:\{\}){2,}/g, '{}')
  return `${operation.method} ${shape}`
}

function isBefore(one: Operation, later: Operation): boolean {
  return compareLiteralness(literalnessOf(segmentsOf(one)), literalnessOf(segmentsOf(later))) > 0
}

function segmentsOf(operation: Operation) {
  return parseSegments(routedPath(operation))
}
