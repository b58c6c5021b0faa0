import { randomUUID } from 'node:crypto'
import { Problem } from '../contract.ts'
import type { Json } from '../document/json.ts'
import { findAt, parsePointer } from '../document/pointer.ts'
import type { Generated } from '../generate/generator.ts'
import type { RandomOptions } from '../generate/random-options.ts'
import type { Example, MediaType } from '../model/api.ts'
import { createResolve } from '../model/resolve.ts'
import type { Side } from '../schema/schemas.ts'
import type { ServedApi } from '../served-api.ts'

/** Options for the values of one response. */
export interface ContentOptions {
  /** Name of the example that the client requested. */
  example: string | undefined
  dynamic: boolean
  seed: string | undefined
  ignoreExamples: boolean
  fillProperties: boolean | undefined
  /** The body of a callback is generated for the request side of its schema. */
  side: Side
}

export interface Made {
  /** Undefined if the document has no example or schema for the value. */
  value: Json | undefined
  /** Key of the example in the document. */
  example: string | undefined
}

const NOTHING: Made = { value: undefined, example: undefined }

/** A named example, a random value, or the first of: example, example of the schema, sample. */
export function makeContent(served: ServedApi, media: MediaType, making: ContentOptions): Made {
  if (making.example !== undefined) return findNamed(served, media, making.example, making)
  if (making.dynamic) {
    return media.schema === undefined
      ? firstExample(served, media, making)
      : { value: random(served, media.schema, making, 'body'), example: undefined }
  }
  if (making.ignoreExamples) return sampled(served, media, making)
  return firstExample(served, media, making)
}

function firstExample(served: ServedApi, media: MediaType, making: ContentOptions): Made {
  const example = declaredExamples(served, media)[0]
  return example === undefined
    ? sampled(served, media, making)
    : show(served, media, example, making)
}

/** In the order in which one of them is chosen by default. */
export function declaredExamples(served: ServedApi, media: MediaType): Example[] {
  const { examples } = media
  const schema = schemaExample(served, media)
  if (schema === undefined) return [...examples]
  const [first, ...rest] = examples
  return first?.pointer.endsWith('/example') ? [first, schema, ...rest] : [schema, ...examples]
}

/** The example of the schema is named `default`, as an unnamed example of the content is. */
function schemaExample({ document }: ServedApi, { schema }: MediaType): Example | undefined {
  if (schema === undefined) return undefined
  const given = findAt(document, parsePointer(schema))
  const found = createResolve(document)(given, schema)
  if (found === undefined || !Object.hasOwn(found.node, 'example')) return undefined
  return {
    key: 'default',
    pointer: `${found.pointer}/example`,
    externalValue: undefined,
    value: found.node.example
  }
}

function findNamed(served: ServedApi, media: MediaType, key: string, making: ContentOptions): Made {
  const examples = declaredExamples(served, media)
  const example = examples.find((each) => each.key === key)
  if (example !== undefined) return show(served, media, example, making)
  const known = examples.map((each) => each.key).join(', ') || 'none'
  throw new Problem(
    'NOT_FOUND',
    `Unknown example ${key} of ${media.type}; known examples: ${known}.`
  )
}

/** An external example is not fetched: its name is reported, its body is generated. */
function show(served: ServedApi, media: MediaType, example: Example, making: ContentOptions): Made {
  if (example.value !== undefined) return { value: example.value, example: example.key }
  const made =
    making.dynamic && media.schema !== undefined
      ? random(served, media.schema, making, 'body')
      : sampled(served, media, making).value
  return { value: made, example: example.key }
}

function sampled(served: ServedApi, { schema }: MediaType, { side }: ContentOptions): Made {
  if (schema === undefined) return NOTHING
  return { value: sample(served, schema, side, 'body'), example: undefined }
}

export function sample({ generator }: ServedApi, schema: string, side: Side, what: string): Json {
  return checked(generator.sample(`#${schema}`, side), what)
}

export function random(
  { generator, random: own }: ServedApi,
  schema: string,
  { seed, fillProperties, side }: ContentOptions,
  what: string
): Json {
  const options: RandomOptions = fillProperties === undefined ? own : { ...own, fillProperties }
  return checked(generator.random(`#${schema}`, side, seed ?? randomUUID(), options), what)
}

function checked(generated: Generated, what: string): Json {
  if (generated.ok) return generated.value as Json
  throw new Problem('SCHEMA_TOO_COMPLEX', `No ${what} could be generated: ${generated.reason}`)
}
