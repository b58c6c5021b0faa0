/**
 * Documents for a GraphQL server, drawn from its own schema with a fixed seed.
 *
 * valid (40 %): a random selection of 1 to 4 root fields, up to 4 levels deep, with arguments,
 * filters, fragments, variables and directives, kept below the cost limit by short lists.
 * near-valid (30 %): a valid one with one thing wrong: a character lost, doubled or changed, a
 * token swapped, a field or an argument misspelt, a variable missing or of another type, JSON cut.
 * hostile (30 %): an equal share of each kind in HOSTILE.
 */
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType
} from 'graphql'
import type { Random } from '../support/random.ts'

export type Kind = 'valid' | 'near-valid' | 'hostile'

export interface Case {
  kind: Kind
  name: string
  body: string
}

const CODES = ['BR', 'DE', 'us', 'CHE', '076', 'AQ', 'XK', 'zz', 'eu', 'pt', 'CHF'] as const
const WORDS = ['a', 'land', 'CÔTE', 'É', '🇧🇷', 'USD', '', '^B', 'x*'] as const

export function drawCase(schema: GraphQLSchema, random: Random): Case {
  const share = random.below(10)
  if (share < 4)
    return { kind: 'valid', name: 'valid', body: JSON.stringify(valid(schema, random)) }
  if (share < 7) return { kind: 'near-valid', ...nearValid(schema, random) }
  const [name, make] = random.pick(HOSTILE)
  return { kind: 'hostile', name, body: make(random) }
}

interface Params {
  query: string
  variables?: Record<string, unknown>
}

function valid(schema: GraphQLSchema, random: Random): Params {
  const query = schema.getQueryType() as GraphQLObjectType
  const fields = pickFields(query, random, 1 + random.below(4))
  const body = fields.map((field) => selectField(field, random, 3)).join(' ')
  const shape = random.below(4)
  if (shape === 0) {
    return {
      query: `query ($code: ${random.pick(['ID!', 'String!'])}, $on: Boolean = true) {
        country(code: $code) @include(if: $on) { ...F } ${body} }
        fragment F on Country { name languages { code } }`,
      variables: { code: random.pick(CODES) }
    }
  }
  return { query: shape === 1 ? `query Named { ${body} }` : `{ ${body} }` }
}

function pickFields(type: GraphQLObjectType, random: Random, count: number) {
  const all = Object.values(type.getFields())
  const picked = new Set<GraphQLField<unknown, unknown>>()
  for (let i = 0; i < count; i++) picked.add(all[random.below(all.length)] as (typeof all)[number])
  return [...picked]
}

function selectField(field: GraphQLField<unknown, unknown>, random: Random, depth: number): string {
  const args = field.args
    .filter(({ type, name }) => isNonNullType(type) || name === 'first' || random.below(3) === 0)
    .filter(({ name }) => name !== 'after')
    .map(({ name, type }) => `${name}: ${name === 'lang' ? '"fr"' : value(type, random, 2)}`)
  const head = args.length === 0 ? field.name : `${field.name}(${args.join(', ')})`
  const type = getNamedType(field.type)
  if (!isObjectType(type)) return head
  const plain = Object.values(type.getFields()).filter(
    (one) => !isObjectType(getNamedType(one.type))
  )
  const inner =
    depth === 0
      ? [plain[random.below(plain.length)]?.name ?? '__typename']
      : pickFields(type, random, 1 + random.below(4)).map((one) =>
          selectField(one, random, isListType(stripNull(field.type)) ? 0 : depth - 1)
        )
  return `${head} { __typename ${inner.join(' ')} }`
}

function stripNull(type: GraphQLField<unknown, unknown>['type']) {
  return isNonNullType(type) ? type.ofType : type
}

function value(type: GraphQLInputType, random: Random, depth: number): string {
  if (isNonNullType(type)) return value(type.ofType, random, depth)
  if (isListType(type)) {
    const count = random.below(3)
    return `[${Array.from({ length: count }, () => value(type.ofType, random, depth - 1)).join(', ')}]`
  }
  if (isEnumType(type)) return type.getValues()[random.below(type.getValues().length)]?.name ?? ''
  if (isInputObjectType(type)) {
    if (depth < 0) return '{}'
    const fields = Object.values(type.getFields()).filter(() => random.below(5) === 0)
    return `{ ${fields.map((one) => `${one.name}: ${value(one.type, random, depth - 1)}`).join(', ')} }`
  }
  if (type.name === 'Int') return String(random.below(5))
  if (type.name === 'Boolean') return random.pick(['true', 'false'])
  return JSON.stringify(type.name === 'ID' ? random.pick(CODES) : random.pick(WORDS))
}

function nearValid(schema: GraphQLSchema, random: Random): { name: string; body: string } {
  const params = valid(schema, random)
  const { query } = params
  const at = random.below(query.length)
  const changes: readonly [string, () => string][] = [
    ['a character lost', () => query.slice(0, at) + query.slice(at + 1)],
    ['a character doubled', () => query.slice(0, at) + query.charAt(at) + query.slice(at)],
    [
      'a character changed',
      () => query.slice(0, at) + random.pick(['{', '}', '"', '$', '\0', '…']) + query.slice(at + 1)
    ],
    ['a field misspelt', () => query.replace(/\b(name|code|country)\b/, 'nmae')],
    ['a selection missing', () => query.replace(/\{ __typename [^{}]*\}/, '')],
    ['an unknown argument', () => query.replace('(', '(nope: 1, ')],
    ['an unknown type', () => query.replace('Country', 'Contry')],
    ['a second anonymous operation', () => `${query} { continents { code } }`],
    ['an unused variable', () => `query ($x: Int!) ${query.replace(/^query[^{]*/, '')}`]
  ]
  const wrong = random.below(changes.length + 3)
  const change = changes[wrong]
  if (change) return { name: change[0], body: JSON.stringify({ ...params, query: change[1]() }) }
  const body = JSON.stringify(params)
  if (wrong === changes.length) return { name: 'JSON cut', body: body.slice(0, at) }
  if (wrong === changes.length + 1) {
    return { name: 'variables of a wrong type', body: JSON.stringify({ query, variables: [1] }) }
  }
  return { name: 'a variable missing', body: JSON.stringify({ query, variables: { other: 1 } }) }
}

const ask = (query: string, variables?: object) => JSON.stringify({ query, variables })
const alphabet = (count: number) => Array.from({ length: count }, (_, index) => `F${index}`)

const HOSTILE: readonly [
  [string, (random: Random) => string],
  ...[string, (random: Random) => string][]
] = [
  [
    'cycles',
    (random) => {
      const depth = 1 + random.below(60)
      return ask(
        `{ countries { ${'continent { countries { '.repeat(depth)} name ${'} } '.repeat(depth)} } }`
      )
    }
  ],
  [
    'fragments that double',
    (random) => {
      const names = alphabet(2 + random.below(40))
      const parts = names.map((name, index) => {
        const next = names[index + 1]
        return `fragment ${name} on Country { ${next ? `...${next} ...${next}` : 'name'} }`
      })
      return ask(`{ countries { ...F0 } } ${parts.join(' ')}`)
    }
  ],
  [
    'fragments in a circle',
    (random) => {
      const names = alphabet(1 + random.below(10))
      const parts = names.map((name, index) => {
        const next = names[(index + 1) % names.length]
        return `fragment ${name} on Country { continent { countries { ...${next} } } }`
      })
      return ask(`{ countries { ...F0 } } ${parts.join(' ')}`)
    }
  ],
  [
    'many aliases',
    (random) =>
      ask(
        `{ ${alphabet(1 + random.below(300))
          .map((a) => `${a}: countries { name }`)
          .join(' ')} }`
      )
  ],
  [
    'fields that overlap',
    (random) =>
      ask(`{ countries { ${'continent { countries { name } } '.repeat(random.below(100))} } }`)
  ],
  ['deep brackets', (random) => ask('{'.repeat(1 + random.below(20_000)))],
  [
    'deep values',
    (random) => {
      const depth = 1 + random.below(3000)
      return ask(
        `{ countries(filter: ${'{ not: '.repeat(depth)}{}${' }'.repeat(depth)}) { code } }`
      )
    }
  ],
  [
    'deep variables',
    (random) => {
      // As text: whoever writes this from objects runs out of stack himself.
      const depth = random.below(8000)
      const filter = `${'{"not":'.repeat(depth)}{}${'}'.repeat(depth)}`
      const query = 'query ($f: CountryFilterInput) { countries(filter: $f) { code } }'
      return `{"query":"${query}","variables":{"f":${filter}}}`
    }
  ],
  [
    'deep lists beside the document',
    (random) => {
      const depth = 1 + random.below(30_000)
      const deep = '['.repeat(depth) + ']'.repeat(depth)
      const query = '"query ($f: CountryFilterInput) { countries(filter: $f) { code } }"'
      const place = random.pick(['variables', 'extensions'])
      const one = `{"query":${query},"${place}":{"f":${deep}}}`
      return random.pick([one, `[${one}]`])
    }
  ],
  [
    'wide variables',
    (random) =>
      ask('query ($f: CountryFilterInput) { countries(filter: $f) { code } }', {
        f: { or: Array(random.below(1500)).fill({ name: { regex: 'a' } }) }
      })
  ],
  [
    'patterns',
    (random) =>
      ask('query ($p: String) { countries(filter: { name: { regex: $p } }) { code } }', {
        p: random.pick([
          '^(\\w+\\s?)*!$',
          '(a+)+$',
          '(.*)*'.repeat(30),
          '('.repeat(180),
          `${'('.repeat(90)}a${')*'.repeat(60)}`,
          '(x{9}){9}',
          '[^\\n]'.repeat(33),
          '\\p{L}+'.repeat(30),
          '(?i)'.repeat(40),
          `a{${random.below(2000)}}`,
          '\ud800',
          '\\u{110000}',
          '(?<n>a)\\k<n>'
        ])
      })
  ],
  [
    'stars',
    (random) =>
      ask('query ($p: String) { countries(filter: { name: { glob: $p } }) { code } }', {
        p: '*a'.repeat(random.below(120))
      })
  ],
  [
    'directives',
    (random) => ask(`{ continents ${'@include(if: true) '.repeat(random.below(400))} { code } }`)
  ],
  [
    'introspection in circles',
    (random) => {
      const depth = 1 + random.below(20)
      return ask(
        `{ __schema { types { ${'fields { type { '.repeat(depth)} name ${'} } '.repeat(depth)} } } }`
      )
    }
  ],
  [
    'long names and texts',
    (random) => ask(`{ country(code: "${'B'.repeat(random.below(60_000))}") { name } }`)
  ],
  [
    'languages',
    (random) =>
      ask('query ($l: String) { countries { name(lang: $l) } }', {
        l: random.pick(['__proto__', 'x'.repeat(9000), 'en-u-nu-latn', 'i-klingon', '', '\0', 'zz'])
      })
  ],
  [
    'batches',
    (random) =>
      `[${Array(random.below(30)).fill(ask('{ countries { name states { name } } }')).join(',')}]`
  ],
  [
    'bodies that are no request',
    (random) =>
      random.pick([
        '',
        'null',
        '0',
        '[]',
        '[[]]',
        '[null]',
        '"{}"',
        '{"query":1}',
        '{"query":null}',
        '{"query":"{a}","variables":"x"}',
        '{"query":"{a}","operationName":{}}',
        '{"query":"{a}","extensions":[]}',
        '{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"x"}}}',
        '{"extensions":{"persistedQuery":null},"query":"{__typename}"}',
        '{"__proto__":{"query":"{__typename}"}}',
        '['.repeat(30_000),
        '\ufeff{"query":"{__typename}"}',
        '{"query":"{__typename}","unknown":1}',
        'x'.repeat(70_000)
      ])
  ],
  [
    'numbers',
    (random) =>
      ask(
        `{ countries(first: ${random.pick(['-1', '2147483648', '1e9', '0', '99999999999999999999'])}) { code } country(code: ${random.pick(['-1', '76', '1.5', 'true', 'null', '[]'])}) { name } }`
      )
  ]
]
