import { randomUUID } from 'node:crypto'
import { after } from '../after.ts'
import { Problem } from '../contract.ts'
import type { Json } from '../document/json.ts'
import { findAt, parsePointer } from '../document/pointer.ts'
import { type DrawingOptions, type Generated, NO_INSTANCE } from '../generate/generator.ts'
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
  /** The body as it is sent, if the example is external. */
  bytes?: Buffer | undefined
}

const NOTHING: Made = { value: undefined, example: undefined }

/**
 * A named example, a random value, or the first of: example, example of the schema, sample. A
 * promise if a value takes long to generate.
 */
export function makeContent(
  served: ServedApi,
  media: MediaType,
  making: ContentOptions
): Made | Promise<Made> {
  if (making.example !== undefined) return findNamed(served, media, making.example, making)
  if (making.dynamic) {
    return media.schema === undefined
      ? firstExample(served, media, making)
      : after(randomBody(served, media.schema, making), unnamed)
  }
  if (making.ignoreExamples) return sampled(served, media, making)
  return firstExample(served, media, making)
}

function unnamed(value: Json): Made {
  return { value, example: undefined }
}

function firstExample(served: ServedApi, media: MediaType, making: ContentOptions) {
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

function findNamed(served: ServedApi, media: MediaType, key: string, making: ContentOptions) {
  const examples = declaredExamples(served, media)
  const example = examples.find((each) => each.key === key)
  if (example !== undefined) return show(served, media, example, making)
  const known = examples.map((each) => each.key).join(', ') || 'none'
  throw new Problem(
    'NOT_FOUND',
    `Unknown example ${key} of ${media.type}; known examples: ${known}.`
  )
}

/** The body of an external example that could not be read is generated. */
function show(
  served: ServedApi,
  media: MediaType,
  example: Example,
  making: ContentOptions
): Made | Promise<Made> {
  if (example.value !== undefined) {
    return { value: example.value, example: example.key, bytes: example.bytes }
  }
  const made: Made | Promise<Made> =
    making.dynamic && media.schema !== undefined
      ? after(randomBody(served, media.schema, making), unnamed)
      : sampled(served, media, making)
  return after(made, ({ value }) => ({ value, example: example.key }))
}

function sampled(
  { generator }: ServedApi,
  { schema }: MediaType,
  { side }: ContentOptions
): Made | Promise<Made> {
  if (schema === undefined) return NOTHING
  return after(generator.sampleInTurns(`#${schema}`, side), (made) =>
    unnamed(checked(made, 'body'))
  )
}

function randomBody(
  { generator, random: own }: ServedApi,
  schema: string,
  making: ContentOptions
): Json | Promise<Json> {
  const { side, seed } = making
  const options = randomOptions(own, making)
  const made = generator.randomInTurns(`#${schema}`, side, seed ?? randomUUID(), options)
  return after(made, (one) => checked(one, 'body'))
}

function randomOptions(
  own: RandomOptions,
  { fillProperties, seed }: ContentOptions
): DrawingOptions {
  const options = { ...own, datesFromNow: seed === undefined }
  return fillProperties === undefined ? options : { ...options, fillProperties }
}

export function sample({ generator }: ServedApi, schema: string, side: Side, what: string): Json {
  return checked(generator.sample(`#${schema}`, side), what)
}

export function random(
  { generator, random: own }: ServedApi,
  schema: string,
  making: ContentOptions,
  what: string
): Json {
  const { seed, side } = making
  const options = randomOptions(own, making)
  return checked(generator.random(`#${schema}`, side, seed ?? randomUUID(), options), what)
}

function checked(generated: Generated, what: string): Json {
  if (generated.ok) return generated.value as Json
  const { reason } = generated
  const code = reason === NO_INSTANCE ? 'SCHEMA_UNSATISFIABLE' : 'SCHEMA_TOO_COMPLEX'
  throw new Problem(code, `No ${what} could be generated: ${reason}`)
}
