import { branchNames } from '../schema/discriminator.ts'
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts'
import { negate } from './negate.ts'
import type { GenerationContext } from './work.ts'

/** One of the schemas that must all match, and the schema that it was reached from. */
export interface Part {
  schema: SchemaObject
  parent: Part | undefined
  /** Whether it describes the value alone, rather than together with other schemas. */
  whole: boolean
}

/** Alternatives: all schemas of one alternative have to match. */
export interface Choice {
  alternatives: readonly (readonly JsonSchema[])[]
  /** Number of leading alternatives that are equally good; the others are a last resort. */
  equal: number
  parent: Part
}

/** Schemas that must all match, collected through references and allOf. */
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
  work: GenerationContext
): Parts {
  const parts = [...before.parts]
  const choices = [...before.choices]
  const refs = [...before.refs]
  const known = new Set(parts.map((part) => part.schema))
  const whole = parent === undefined || (parent.whole && isMereUnion(parent.schema))
  const open = schemas.map((schema) => ({ schema, parent, whole }))
  for (const { schema, parent: from, whole: isWhole } of open) {
    if (schema === false) return { ...before, impossible: true }
    if (schema === true || known.has(schema)) continue
    work.spend(1)
    known.add(schema)
    const part = { schema, parent: from, whole: isWhole }
    parts.push(part)
    if (schema.$ref !== undefined) {
      refs.push(schema.$ref)
      open.push({ schema: work.view.resolve(schema.$ref), parent: part, whole: isWhole })
    }
    const alone = isWhole && schema.allOf?.length === 1
    for (const one of schema.allOf ?? []) open.push({ schema: one, parent: part, whole: alone })
    for (const choice of choicesOf(schema, work)) {
      if (choice.alternatives.length === 0) return { ...before, impossible: true }
      choices.push({ ...choice, parent: part })
    }
  }
  return { parts, choices, refs, impossible: false }
}

function isMereUnion({ $ref, allOf, properties }: SchemaObject): boolean {
  return $ref === undefined && allOf === undefined && properties === undefined
}

export function isBelow(part: Part, ancestor: Part): boolean {
  for (let one: Part | undefined = part; one !== undefined; one = one.parent) {
    if (one === ancestor) return true
  }
  return false
}

type Alternatives = Pick<Choice, 'alternatives' | 'equal'>

function choicesOf(schema: SchemaObject, work: GenerationContext): Alternatives[] {
  const choices: Alternatives[] = []
  if (schema.oneOf !== undefined) choices.push(oneOfThem(schema, schema.oneOf, work))
  if (schema.anyOf !== undefined) {
    choices.push(anyOfThem(schema.oneOf === undefined ? schema : {}, schema.anyOf, work))
  }
  if (schema.not !== undefined) choices.push(equally(negate(schema.not, work).map((one) => [one])))
  if (schema.if !== undefined && (schema.then !== undefined || schema.else !== undefined)) {
    choices.push(
      equally([
        [schema.if, schema.then ?? true],
        ...negate(schema.if, work).map((one) => [one, schema.else ?? true])
      ])
    )
  }
  return choices
}

function equally(alternatives: JsonSchema[][]): Alternatives {
  return { alternatives, equal: alternatives.length }
}

/** With a discriminator, branches that require its name are tried first, then the bare branches. */
function anyOfThem(
  schema: SchemaObject,
  branches: readonly JsonSchema[],
  work: GenerationContext
): Alternatives {
  const plain = branches.map((branch) => [branch])
  if (schema.discriminator === undefined) return equally(plain)
  const named = branches.map((branch) => [branch, ...nameOf(schema, branch, work)])
  return { alternatives: [...named, ...plain], equal: branches.length }
}

/** Tries the branches alone first, then with all other branches excluded by `not`. */
function oneOfThem(
  schema: SchemaObject,
  branches: readonly JsonSchema[],
  work: GenerationContext
): Alternatives {
  const { alternatives } = anyOfThem(schema, branches, work)
  if (branches.length === 1) return { alternatives, equal: 1 }
  const apart = branches.map((branch) => [
    branch,
    ...nameOf(schema, branch, work),
    ...branches.filter((other) => other !== branch).map((other) => ({ not: other }))
  ])
  return { alternatives: [...alternatives, ...apart], equal: branches.length }
}

function nameOf(schema: SchemaObject, branch: JsonSchema, work: GenerationContext): JsonSchema[] {
  const property = schema.discriminator?.propertyName
  if (property === undefined) return []
  const names = branchNames(schema, branch, work.view.resolve, work.view.nameOf)
  if (names.length === 0) return []
  return [{ type: 'object', required: [property], properties: { [property]: { enum: names } } }]
}
