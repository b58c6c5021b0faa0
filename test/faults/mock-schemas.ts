import type { Random } from '../support/random.ts'

export type Schema = Record<string, unknown> | boolean

export interface Case {
  document: { components: { schemas: Record<string, Schema> } }
  /** A value that meets the schema, so that it is known to have one; wild cases have none. */
  witness: { value: unknown } | undefined
  /** What the schema is made of. */
  constructs: ReadonlySet<string>
}

type Pairs = readonly [readonly [string, string], ...(readonly [string, string])[]]

const PATTERNS: Pairs = [
  ['^[A-Z]{2}-\\d{3}$', 'AB-123'],
  ['^(cat|dog)s?$', 'dogs'],
  ['[0-9]+', 'x12'],
  ['^(?=.*[A-Z])(?=.*\\d).{6,}$', 'Abcde1'],
  ['^[a-z0-9]+(-[a-z0-9]+)*$', 'a-b-c'],
  ['^\\+?[1-9]\\d{1,14}$', '+4912345'],
  ['^#([0-9a-f]{3}|[0-9a-f]{6})$', '#abc'],
  ['^\\p{Lu}', 'Ürt'],
  ['\\.json$', 'a.json'],
  ['^[^\\s@]+@[^\\s@]+$', 'a@b'],
  ['^(?!-)[a-z-]{3,9}$', 'ab-c']
]

const FORMATS: Pairs = [
  ['date-time', '2020-01-02T03:04:05Z'],
  ['date', '2020-01-02'],
  ['time', '03:04:05Z'],
  ['duration', 'P1D'],
  ['email', 'a@b.example'],
  ['hostname', 'a.example'],
  ['ipv4', '10.0.0.1'],
  ['ipv6', '::1'],
  ['uri', 'https://a.example/b'],
  ['uri-reference', '/a'],
  ['uuid', '123e4567-e89b-42d3-a456-426614174000'],
  ['json-pointer', '/a/b'],
  ['regex', '^a$']
]

const NAMES = [
  'id',
  'name',
  'size',
  'tags',
  'owner',
  'constructor',
  'toString',
  'a b',
  'x/y'
] as const
const STEPS = [2, 3, 5, 7, 0.5, 0.1] as const
const MAX_DEPTH = 3

function when(condition: Schema, yes: Schema, no: Schema): Schema {
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  return { if: condition, then: yes, else: no }
}

interface Drawn {
  value: unknown
  schema: Record<string, unknown>
}

/**
 * Schemas that are drawn round a value: each keyword is chosen so that the value meets it, so
 * every such schema has an instance. One in ten is wild: its keywords are drawn without regard
 * to each other, and many of those have none.
 */
export function createSchemaGenerator(random: Random) {
  const { below, pick } = random
  let schemas: Record<string, Schema> = {}
  let constructs = new Set<string>()
  let names = 0

  const chance = (percent: number) => below(100) < percent
  function mark<T>(construct: string, value: T): T {
    constructs.add(construct)
    return value
  }

  function component(schema: Schema): Schema {
    names += 1
    const name = chance(10) ? `Odd name/${names}` : `Part${names}`
    schemas[name] = schema
    return { $ref: refTo(name) }
  }

  function refTo(name: string): string {
    return `#/components/schemas/${encodeURIComponent(name.replaceAll('/', '~1'))}`
  }

  /** A value and a schema that it meets. */
  function draw(depth: number): { value: unknown; schema: Schema } {
    const { value, schema } = drawPlain(depth)
    const wrapped = wrap(value, schema, depth)
    const twice = typeof wrapped === 'object' && chance(25)
    return { value, schema: twice ? wrap(value, wrapped, depth) : wrapped }
  }

  function drawPlain(depth: number): Drawn {
    const kinds = [drawNumber, drawNumber, drawText, drawText, drawText, drawSmall] as const
    const deep = [drawObject, drawObject, drawObject, drawArray, drawTree, drawUnion] as const
    if (depth >= MAX_DEPTH || (depth > 0 && chance(45))) return pick<() => Drawn>(kinds)()
    return pick<(depth: number) => Drawn>(deep)(depth)
  }

  function drawSmall() {
    const value = pick([true, false, null])
    return { value, schema: mark('type', { type: value === null ? 'null' : 'boolean' }) }
  }

  function drawNumber() {
    const whole = chance(60)
    let value = whole ? below(400) - 200 : (below(4000) - 2000) / 10
    const schema: Record<string, unknown> = { type: whole ? 'integer' : 'number' }
    if (chance(20)) {
      const step = pick(STEPS)
      const unit = whole && step < 1 ? 2 : step
      value = Number(((below(60) - 30) * unit).toFixed(1))
      schema.multipleOf = mark('multipleOf', unit)
      // The other validator takes no negative number for a multiple of a fraction.
      if (unit < 1) {
        value = Math.abs(value)
        schema.minimum = 0
      }
    }
    if (chance(35))
      schema.minimum = mark('bounds', Math.max(value - below(20), Number(schema.minimum ?? -500)))
    if (chance(35)) schema.maximum = mark('bounds', value + below(20))
    if (chance(12)) schema.exclusiveMinimum = mark('bounds', value - 1 - below(5))
    if (chance(12)) schema.exclusiveMaximum = mark('bounds', value + 1 + below(5))
    if (whole && chance(20)) schema.format = mark('format', pick(['int32', 'int64']))
    constructs.add('type')
    return { value, schema }
  }

  function drawText() {
    const schema: Record<string, unknown> = { type: 'string' }
    const way = below(10)
    let value = 'x'.repeat(below(12))
    if (way < 3) {
      const [pattern, text] = pick(PATTERNS)
      value = text
      schema.pattern = mark('pattern', pattern)
    } else if (way < 6) {
      const [format, text] = pick(FORMATS)
      value = text
      schema.format = mark('format', format)
    }
    const length = [...value].length
    if (chance(way < 6 ? 10 : 50)) schema.minLength = mark('bounds', Math.max(0, length - below(6)))
    if (chance(way < 6 ? 10 : 50)) schema.maxLength = mark('bounds', length + below(9))
    constructs.add('type')
    return { value, schema }
  }

  function drawArray(depth: number) {
    const schema: Record<string, unknown> = { type: 'array' }
    const item = draw(depth + 1)
    const value: unknown[] = []
    if (chance(45)) {
      const before = Array.from({ length: 1 + below(3) }, () => draw(depth + 1))
      value.push(...before.map((one) => one.value))
      schema.prefixItems = mark(
        'prefixItems',
        before.map((one) => one.schema)
      )
      schema.items = chance(40) ? false : item.schema
      if (schema.items === false && chance(50)) schema.minItems = value.length
    } else schema.items = item.schema
    if (schema.items !== false)
      for (let count = below(3); count > 0; count -= 1) value.push(item.value)
    const different = new Set(value.map((one) => JSON.stringify(one))).size === value.length
    if (different && chance(30)) schema.uniqueItems = mark('uniqueItems', true)
    if (value.length > 0 && chance(20)) {
      const last = value.at(-1)
      schema.contains = mark('contains', chance(50) ? { const: last } : loose(last))
      if (chance(30)) schema.minContains = 1
    }
    if (chance(30)) schema.minItems = mark('bounds', Math.max(0, value.length - below(2)))
    if (chance(30)) schema.maxItems = mark('bounds', value.length + below(3))
    constructs.add('type')
    return { value, schema }
  }

  function drawObject(depth: number) {
    const schema: Record<string, unknown> = { type: 'object' }
    const value: Record<string, unknown> = {}
    const properties: Record<string, Schema> = {}
    const required: string[] = []
    for (let count = 1 + below(4); count > 0; count -= 1) {
      const name = pick(NAMES)
      if (Object.hasOwn(properties, name)) continue
      const property = draw(depth + 1)
      properties[name] = property.schema
      if (chance(20)) constructs.add('optional')
      else value[name] = property.value
      if (Object.hasOwn(value, name) && chance(50)) required.push(name)
    }
    if (required.length > 0) schema.required = mark('required', required)
    schema.properties = properties
    addRest(schema, value, depth)
    constructs.add('type')
    return { value, schema }
  }

  function addRest(schema: Record<string, unknown>, value: Record<string, unknown>, depth: number) {
    const held = Object.keys(value)
    const way = below(10)
    if (way < 2) schema.additionalProperties = mark('additionalProperties', false)
    else if (way < 4) {
      const extra = draw(depth + 1)
      schema.additionalProperties = mark('additionalProperties', extra.schema)
      if (chance(50)) value.extra = extra.value
    } else if (way < 5) {
      const extra = draw(depth + 1)
      schema.patternProperties = mark('patternProperties', { '^x-[a-z]+$': extra.schema })
      if (chance(50)) value['x-one'] = extra.value
      if (chance(30)) schema.additionalProperties = mark('additionalProperties', false)
    } else if (way < 6) schema.unevaluatedProperties = mark('unevaluated', false)
    if (chance(10)) schema.propertyNames = mark('propertyNames', { maxLength: 11 })
    if (chance(12)) schema.minProperties = mark('bounds', Object.keys(value).length)
    if (chance(10)) schema.maxProperties = mark('bounds', Object.keys(value).length + below(2))
    const [first = 'id', second = first] = held
    if (chance(10)) schema.dependentRequired = mark('dependentRequired', { [first]: [second] })
    if (chance(6)) schema.dependentSchemas = mark('dependentSchemas', { [first]: loose(value) })
  }

  /** A node that holds nodes; with `next` required it ends in null. */
  function drawTree(depth: number) {
    const held = draw(depth + 1)
    const name = `Tree${Object.keys(schemas).length}x${below(1000)}`
    const self = { $ref: refTo(name) }
    const must = chance(40)
    const next = chance(50)
      ? { anyOf: [self, { type: 'null' }] }
      : { oneOf: [{ type: 'null' }, self] }
    schemas[name] = {
      type: 'object',
      required: must ? ['held', 'next'] : ['held'],
      properties: {
        held: held.schema,
        next: must || chance(50) ? next : self,
        ...(chance(50) ? { children: { type: 'array', items: self } } : {})
      }
    }
    for (const construct of ['recursive $ref', 'required', 'optional']) constructs.add(construct)
    return { value: { held: held.value, ...(must ? { next: null } : {}) }, schema: self }
  }

  /** Kinds told apart by one property, named by mapping, by component or by const. */
  function drawUnion(depth: number) {
    const inner = draw(depth + 1)
    const number = below(1_000_000)
    const [one, other] = [`Cat${number}`, `Dog${number}`]
    const mapped = chance(50)
    const told = chance(60)
    const name = mapped ? 'cat' : one
    const kind = (value: string) => (told ? { const: value } : { type: 'string' })
    schemas[one] = {
      type: 'object',
      required: ['kind', 'held'],
      properties: { kind: kind(name), held: inner.schema }
    }
    schemas[other] = {
      type: 'object',
      required: told ? ['kind'] : ['kind', 'bark'],
      properties: { kind: kind(other), bark: { type: 'boolean' } }
    }
    const mapping = mapped ? { mapping: { cat: refTo(one), dog: refTo(other) } } : {}
    if (mapped && told) {
      schemas[other] = { ...(schemas[other] as object), properties: { kind: { const: 'dog' } } }
    }
    for (const construct of ['discriminator', 'oneOf', 'required']) constructs.add(construct)
    const branches = [{ $ref: refTo(one) }, { $ref: refTo(other) }]
    const schema = {
      [chance(80) ? 'oneOf' : 'anyOf']: chance(50) ? branches : branches.reverse(),
      discriminator: { propertyName: 'kind', ...mapping }
    }
    return { value: { kind: name, held: inner.value }, schema }
  }

  function wrap(value: unknown, schema: Record<string, unknown>, depth: number): Schema {
    const others = () => loose(value)
    const way = below(depth === 0 ? 22 : 34)
    switch (way) {
      case 0:
        return mark('allOf', { allOf: [schema, others()] })
      case 1:
        return mark('allOf', { ...schema, allOf: [others(), component(others())] })
      case 2:
      case 3:
        return mark('oneOf', { oneOf: shuffled([schema, ...rejecting(value)]) })
      case 4:
      case 5:
        return mark('anyOf', { anyOf: shuffled([schema, ...rejecting(value), others()]) })
      case 6:
        return mark('not', { ...schema, not: rejecting(value)[0] ?? false })
      case 7:
        return mark('if', when(others(), schema, rejecting(value)[0] ?? true))
      case 8:
        return mark('if', when(rejecting(value)[0] ?? false, false, schema))
      case 9:
      case 10:
        return mark('nested $ref', component(schema))
      case 11:
        return mark('enum', { enum: shuffled([value, 'other', 7]) })
      case 12:
        return mark('const', { const: value })
      case 13:
      case 14:
      case 15:
        if (typeof schema.type !== 'string' || schema.type === 'null') return schema
        return mark('nullable', { ...schema, type: shuffled([schema.type, 'null']) })
      default:
        return schema
    }
  }

  /** Something that the value meets, and much else does too. */
  function loose(value: unknown): Schema {
    if (typeof value === 'number') return pick([{ type: 'number' }, { maximum: value + 50 }])
    if (typeof value === 'string')
      return pick([{ type: 'string' }, { maxLength: value.length + 30 }])
    if (Array.isArray(value)) return pick([{ type: 'array' }, { maxItems: value.length + 3 }])
    if (value === null) return { enum: [null, 0] }
    if (typeof value === 'boolean') return { type: ['boolean', 'string'] }
    return pick([{ type: 'object' }, { required: Object.keys(value as object).slice(0, 1) }])
  }

  /** Schemas that the value does not meet. */
  function rejecting(value: unknown): Schema[] {
    const found: Schema[] = [{ type: typeof value === 'string' ? 'integer' : 'string' }]
    if (typeof value === 'number') found.push({ type: 'number', minimum: value + 1 })
    if (typeof value === 'string') found.push({ type: 'string', minLength: value.length + 1 })
    if (Array.isArray(value)) found.push({ type: 'array', minItems: value.length + 1 })
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      found.push({
        type: 'object',
        required: ['absent'],
        properties: { absent: { type: 'integer' } }
      })
    }
    return shuffled(found).slice(0, 1 + below(2))
  }

  function shuffled<T>(list: readonly T[]): T[] {
    const mixed = [...list]
    for (let index = mixed.length - 1; index > 0; index -= 1) {
      const other = below(index + 1)
      const held = mixed[index] as T
      mixed[index] = mixed[other] as T
      mixed[other] = held
    }
    return mixed
  }

  function drawWild(): Schema {
    const one = draw(1)
    const other = draw(1)
    const joined = [one.schema, other.schema]
    return pick([
      { allOf: joined },
      { oneOf: [one.schema, one.schema, other.schema] },
      { allOf: [one.schema], not: other.schema },
      { ...Object(one.schema), minimum: below(9), maxLength: below(4), maxProperties: below(3) }
    ])
  }

  return function next(): Case {
    schemas = {}
    constructs = new Set()
    const wild = chance(10)
    const { value, schema } = wild ? { value: undefined, schema: drawWild() } : draw(0)
    schemas.Root = schema
    return {
      document: { components: { schemas } },
      witness: wild ? undefined : { value },
      constructs
    }
  }
}
