import type { Operation, Parameter } from '../model/api.ts'
import { createSchemaSummaries, referenceTo, type Shapes } from '../request/schema-summary.ts'
import type { ServedApi } from '../served-api.ts'
import type { Expression } from './expression.ts'

/** An operation with the schemas of its document. */
export interface KnownOperation {
  operation: Operation
  shapes: Shapes
}

export function knownOperations({ api, schemas }: ServedApi): KnownOperation[] {
  const shapes = createSchemaSummaries(schemas.view('request'))
  return api.operations.map((operation) => ({ operation, shapes }))
}

/** Why an expression has no value in any of these operations; undefined if it may have one. */
export function whyEmpty(
  expression: Expression,
  known: readonly KnownOperation[]
): string | undefined {
  if (known.length === 0) return undefined
  if (expression.kind === 'path') {
    const { name } = expression
    if (known.some(({ operation }) => hasPathName(operation, name))) return undefined
    return `$request.path.${name} is empty: {${name}} is in no path that this applies to`
  }
  if (expression.kind === 'query') {
    const { name } = expression
    if (known.some((one) => mayHaveQuery(one, name))) return undefined
    return `$request.query.${name} is a query parameter of no operation that this applies to`
  }
  if (expression.kind === 'requestBody') {
    if (known.some(({ operation }) => operation.requestBody !== undefined)) return undefined
    return '$request.body is empty: no operation that this applies to has a request body'
  }
  return undefined
}

function hasPathName({ path }: Operation, name: string): boolean {
  return path.toLowerCase().includes(`{${name.toLowerCase()}}`)
}

/** Preferences of the mock and `filter[name]` count as documented. */
function mayHaveQuery({ operation, shapes }: KnownOperation, name: string): boolean {
  const [base = ''] = name.toLowerCase().split('[')
  if (base.startsWith('__')) return true
  return operation.parameters.some(
    (parameter) =>
      parameter.in === 'query' &&
      (parameter.name.toLowerCase() === base || isSpread(parameter, shapes, name))
  )
}

/** The members of an exploded object are sent under their own names. */
function isSpread({ style, explode, schema }: Parameter, shapes: Shapes, name: string): boolean {
  if (style !== 'form' || !explode || schema === undefined) return false
  const { types, names, isOpen } = shapes.at(referenceTo(schema))
  return types?.has('object') === true && (isOpen || names.length === 0 || names.includes(name))
}
