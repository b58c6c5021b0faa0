import type { Finding } from '../../../kernel/service.ts'
import { formatPointer } from '../document/pointer.ts'
import { expressionsIn } from '../expression/expand-url.ts'
import { type Expression, parseExpression } from '../expression/expression.ts'
import { type KnownOperation, knownOperations, whyEmpty } from '../expression/why-empty.ts'
import type { Callback, MediaType, Operation } from '../model/api.ts'
import type { Side } from '../schema/schemas.ts'
import type { ServedApi } from '../served-api.ts'
import { best, createReach } from '../transform/reach.ts'

const OF_RULES: readonly Expression['kind'][] = ['uuid', 'now', 'seq', 'faker', 'state']

/** Warnings for expressions in the URLs of callbacks that are replaced by an empty string. */
export function callbackFindings(served: ServedApi): Finding[] {
  const { label } = served
  return knownOperations(served).flatMap((known) => {
    const { pointer, callbacks } = known.operation
    const keys = new Map(callbacks.map((one) => [`${one.key}\n${one.expression}`, one]))
    return [...keys.values()].flatMap(({ key, expression: url }) =>
      emptyIn(url, known, served).map((text): Finding => {
        const where = `${label}#${pointer}${formatPointer(['callbacks', key, url])}`
        return { level: 'warning', where, text }
      })
    )
  })
}

function emptyIn(url: Callback['expression'], known: KnownOperation, served: ServedApi): string[] {
  return expressionsIn(url).flatMap((text) => {
    const expression = parseExpression(text)
    if (expression === undefined) return [`${text} is not a known expression and is left empty`]
    if (OF_RULES.includes(expression.kind)) return [`${text} is for rules only and is left empty`]
    const reason = whyEmpty(expression, [known]) ?? missingPart(expression, known, served)
    return reason === undefined ? [] : [reason]
  })
}

function missingPart(
  expression: Expression,
  { operation }: KnownOperation,
  served: ServedApi
): string | undefined {
  if (expression.kind === 'responseHeader') {
    const { name } = expression
    const isDocumented = operation.responses.some(({ headers }) =>
      headers.some((header) => header.name === name)
    )
    return isDocumented || name === 'content-type'
      ? undefined
      : `$response.header.${name} is a header of no response of this operation`
  }
  if (expression.kind !== 'requestBody' && expression.kind !== 'responseBody') return undefined
  const side: Side = expression.kind === 'requestBody' ? 'request' : 'response'
  const reach = createReach(served.schemas.view(side))
  const found = contentsOf(operation, side).map(({ schema }) =>
    schema === undefined ? 'open' : reach(`#${schema}`, expression.tokens)
  )
  const isDefined = found.length > 0 && ['open', 'yes'].includes(best(found))
  return isDefined
    ? undefined
    : `No schema of the ${side} body defines ${formatPointer(expression.tokens) || 'a value'}`
}

function contentsOf({ requestBody, responses }: Operation, side: Side): readonly MediaType[] {
  if (side === 'request') return requestBody?.contents ?? []
  return responses.flatMap(({ contents }) => contents)
}
