import { branchNames } from '../schema/discriminator.ts'
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts'
import { negate } from './negate.ts'
import type { Work } from './work.ts'

/** One schema of those that must all hold, and the one that brought it in. */
export interface Part {
  schema: SchemaObject
  parent: Part | undefined
}

/** Lists of schemas of which one list has to hold as a whole. */
export interface Choice {
  alternatives: readonly (readonly JsonSchema[])[]
  parent: Part
}

/** Schemas that must all hold, taken apart: no reference and no allOf is left. */
export interface Parts {
  parts: readonly Part[]
  choices: readonly Choice[]
  refs: readonly string[]
  impossible: boolean
}

export const NO_PARTS: Parts = { parts: [], choices: [], refs: [], impossible: false }

export function addParts(
  before: Parts,
  schemas: readonly JsonSchema[],
  parent: Part | undefined,
  work: Work
): Parts {
  const parts = [...before.parts]
  const choices = [...before.choices]
  const refs = [...before.refs]
  const known = new Set(parts.map((part) => part.schema))
  const open = schemas.map((schema) => ({ schema, parent }))
  for (const { schema, parent: from } of open) {
    if (schema === false) return { ...before, impossible: true }
    if (schema === true || known.has(schema)) continue
    work.spend(1)
    known.add(schema)
    const part = { schema, parent: from }
    parts.push(part)
    if (schema.$ref !== undefined) {
      refs.push(schema.$ref)
      open.push({ schema: work.view.resolve(schema.$ref), parent: part })
    }
    for (const one of schema.allOf ?? []) open.push({ schema: one, parent: part })
    for (const alternatives of choicesOf(schema, work)) {
      if (alternatives.length === 0) return { ...before, impossible: true }
      choices.push({ alternatives, parent: part })
    }
  }
  return { parts, choices, refs, impossible: false }
}

export function isBelow(part: Part, ancestor: Part): boolean {
  for (let one: Part | undefined = part; one !== undefined; one = one.parent) {
    if (one === ancestor) return true
  }
  return false
}

function choicesOf(schema: SchemaObject, work: Work): (readonly JsonSchema[])[][] {
  const choices: (readonly JsonSchema[])[][] = []
  if (schema.oneOf !== undefined) choices.push(oneOfThem(schema, schema.oneOf, work))
  if (schema.anyOf !== undefined) {
    const union = schema.oneOf === undefined ? schema : {}
    choices.push(schema.anyOf.flatMap((branch) => named(union, branch, work)))
  }
  if (schema.not !== undefined) choices.push(negate(schema.not, work).map((one) => [one]))
  if (schema.if !== undefined && (schema.then !== undefined || schema.else !== undefined)) {
    choices.push([
      [schema.if, schema.then ?? true],
      ...negate(schema.if, work).map((one) => [one, schema.else ?? true])
    ])
  }
  return choices
}

/** First as if the branches could not meet; then with the others ruled out one by one. */
function oneOfThem(schema: SchemaObject, branches: readonly JsonSchema[], work: Work) {
  const plain = branches.flatMap((branch) => named(schema, branch, work))
  if (branches.length === 1) return plain
  const apart = branches.map((branch) => [
    branch,
    ...branches.filter((other) => other !== branch).map((other) => ({ not: other }))
  ])
  return [...plain, ...apart]
}

/** A branch of a union with a discriminator carries its name. */
function named(schema: SchemaObject, branch: JsonSchema, work: Work): (readonly JsonSchema[])[] {
  const { resolve, nameOf } = work.view
  const names = branchNames(schema, branch, resolve, nameOf)
  const property = schema.discriminator?.propertyName
  if (names.length === 0 || property === undefined) return [[branch]]
  const name = { type: 'object', required: [property], properties: { [property]: { enum: names } } }
  return [[branch, name as SchemaObject], [branch]]
}
