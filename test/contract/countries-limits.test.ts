import assert from 'node:assert/strict'
import { contract, type Row } from '../support/contract.ts'

function post(body: string | object, headers = {}) {
  return {
    method: 'POST',
    path: '/',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body)
  }
}

function refuses(proves: string, query: string, code: string, message: string | RegExp): Row {
  return {
    proves,
    send: post({ query }),
    expect: {
      status: 200,
      check({ text }) {
        const { errors, data } = JSON.parse(text)
        assert.equal(data, undefined, 'nothing was run')
        assert.match(errors[0].message, new RegExp(`^${message}$`))
        assert.equal(errors[0].extensions.code, code)
      }
    }
  }
}

function allows(proves: string, query: string): Row {
  return {
    proves,
    send: post({ query }),
    expect: { status: 200, check: ({ text }) => assert.match(text, /^\{"data":/) }
  }
}

/** Under 80 characters, 3.5 s and 8.4 MB on the original. */
const CYCLIC = '{ countries { continent { countries { continent { countries { name } } } } } }'
const COMPLEX = 'QUERY_TOO_COMPLEX'

const FILTERED = 'query ($f: CountryFilterInput) { countries(filter: $f) { code } }'
const nested = (levels: number) => `{"f":${'{"not":'.repeat(levels)}{}${'}'.repeat(levels)}}`

/** What stands beside the document, too deep for whoever walks it by recursion. */
function refusesDeep(proves: string, send: Row['send'], place = 'variables'): Row {
  return {
    proves,
    send,
    expect: {
      status: 200,
      check({ text }) {
        const result = JSON.parse(text)
        const { errors, data } = Array.isArray(result) ? result[0] : result
        assert.equal(data, undefined)
        assert.equal(
          errors[0].message,
          `The ${place} are nested too deeply; at most 50 levels are allowed`
        )
        assert.equal(errors[0].extensions.code, COMPLEX)
      }
    }
  }
}

const EVERYTHING = `{ countries { __typename code alpha3 numeric name native phone phones capital currency
  currencies emoji emojiU awsRegion aliases continent { code name } continents { code }
  languages { code name native rtl } states { code name } subdivisions { code name }
  currencyInfo { code name symbol digits } timezones { name utcOffset } } }`

contract('limits of countries', { service: 'countries' }, [
  refuses(
    'the cyclic query is refused before it is run',
    CYCLIC,
    COMPLEX,
    'This query requests about 5\\d{5} fields; at most 50000 are allowed'
  ),
  refuses(
    'through fragments too',
    `query { countries { ...C } } fragment C on Country { continent { ...K } }
     fragment K on Continent { countries { continent { countries { name } } } }`,
    COMPLEX,
    'This query requests about \\d{6} fields; at most 50000 are allowed'
  ),
  refuses(
    'and through languages and currencies',
    '{ languages { countries { currencyInfo { countries { code } } languages { countries { code } } } } }',
    COMPLEX,
    'This query requests about \\d+ fields; at most 50000 are allowed'
  ),
  refuses(
    'fragments that double at every level',
    `{ countries { ...A } } ${[...'ABCDEFGHIJKLMNOP']
      .map((name, index, all) => {
        const next = all[index + 1]
        const inner = next ? `continent { countries { ...${next} ...${next} } }` : 'name'
        return `fragment ${name} on Country { ${inner} }`
      })
      .join(' ')}`,
    COMPLEX,
    'The query is nested 32 levels deep; at most 10 are allowed'
  ),
  refuses(
    'a fragment of itself',
    '{ countries { ...A } } fragment A on Country { name ...A }',
    'GRAPHQL_VALIDATION_FAILED',
    'Cannot spread fragment "A" within itself.'
  ),
  refuses(
    'depth',
    `{ country(code: "BR") { ${'continent { countries { '.repeat(5)} name ${'} }'.repeat(5)} } }`,
    COMPLEX,
    'The query is nested 12 levels deep; at most 10 are allowed'
  ),
  refuses(
    'aliases',
    `{ ${Array.from({ length: 31 }, (_, i) => `a${i}: country(code: "BR") { name }`).join(' ')} }`,
    COMPLEX,
    'The query has 31 aliases; at most 30 are allowed'
  ),
  refuses(
    'tokens',
    `{ ${'country(code: "BR") { name } '.repeat(120)} }`,
    'GRAPHQL_PARSE_FAILED',
    'Syntax Error: Document contains more that 1000 tokens. Parsing aborted.'
  ),
  refuses(
    'introspection that goes round in circles',
    `{ __schema { types { ${'fields { type { '.repeat(5)} name ${'} }'.repeat(5)} } } }`,
    'GRAPHQL_VALIDATION_FAILED',
    'Maximum introspection depth exceeded'
  ),
  refuses(
    'a country that is chosen counts with its longest lists',
    `{ ${Array.from(
      { length: 23 },
      (_, i) =>
        `a${i}: countries(first: 1, filter: { code: { eq: "GB" } }) { states { country { continent { countries { code name } } } } }`
    ).join(' ')} }`,
    COMPLEX,
    'This query requests about \\d{6,7} fields; at most 50000 are allowed'
  ),
  refusesDeep('deep variables', post(`{"query":"${FILTERED}","variables":${nested(8000)}}`)),
  refusesDeep(
    'deep variables in a batch',
    post(`[{"query":"${FILTERED}","variables":${nested(8000)}}]`)
  ),
  refusesDeep('deep variables in an address', {
    path: `/?query=${encodeURIComponent(FILTERED)}&variables=${encodeURIComponent(nested(400))}`
  }),
  refusesDeep(
    'deep extensions',
    post(`{"query":"{ __typename }","extensions":${nested(8000)}}`),
    'extensions'
  ),
  {
    proves: 'variables that are not so deep',
    send: post(`{"query":"${FILTERED}","variables":${nested(48)}}`),
    expect: { status: 200, text: /^\{"data":/ }
  },
  allows('everything about all countries, once', EVERYTHING),
  allows('two rounds of the circle', '{ countries { continent { countries { name } } } }'),
  allows(
    'a deep query whose lists are short',
    '{ countries(first: 2) { continent { countries { continent { countries { name } } } } } }'
  ),
  allows(
    'thirty aliases',
    `{ ${Array.from({ length: 30 }, (_, i) => `a${i}: country(code: "BR") { name }`).join(' ')} }`
  ),
  {
    proves: 'clients of the newer media type get 400 for a refusal',
    send: post({ query: CYCLIC }, { accept: 'application/graphql-response+json' }),
    expect: { status: 400, text: /^\{"errors":\[\{"message":"This query requests about/ }
  },
  {
    proves: 'ten operations in a batch',
    send: post(Array(10).fill({ query: '{ country(code: "BR") { name } }' })),
    expect: { status: 200, check: ({ text }) => assert.equal(JSON.parse(text).length, 10) }
  },
  {
    proves: 'eleven are refused',
    send: post(Array(11).fill({ query: '{ country(code: "BR") { name } }' })),
    expect: {
      status: 413,
      json: {
        errors: [
          {
            message: 'Batching is limited to 10 operations per request.',
            extensions: { code: 'BAD_REQUEST' }
          }
        ]
      }
    }
  },
  {
    proves: 'a batch shares the allowance of one query',
    send: post(Array(4).fill({ query: EVERYTHING })),
    expect: {
      status: 200,
      check({ text }) {
        const results = JSON.parse(text)
        assert.equal(results.filter(({ data }: { data?: object }) => data).length, 1)
        assert.equal(results.at(-1).errors[0].extensions.code, COMPLEX)
        assert.equal(
          results.at(-1).errors[0].message,
          'The queries of a batch may request at most 50000 fields together'
        )
      }
    }
  },
  {
    proves: 'a body over 64 KiB',
    send: post({ query: `{ country(code: "BR") { name } } #${'x'.repeat(65_536)}` }),
    expect: {
      status: 413,
      json: {
        errors: [
          {
            message: 'The request body exceeds 65536 bytes',
            extensions: { code: 'BODY_TOO_LARGE' }
          }
        ]
      }
    }
  },
  {
    proves: 'a body just below it',
    send: post({ query: `{ country(code: "BR") { code } } #${'x'.repeat(65_000)}` }),
    expect: { status: 200, json: { data: { country: { code: 'BR' } } } }
  }
])

contract(
  'limits that the operator sets',
  {
    service: 'countries',
    options: {
      maxBodyBytes: 2048,
      maxTokens: 100,
      maxDepth: 2,
      maxAliases: 1,
      maxCost: 300,
      maxBatch: 2
    }
  },
  [
    allows('what fits', '{ a: country(code: "BR") { name } }'),
    refuses(
      'aliases',
      '{ a: country(code: "BR") { b: name } }',
      COMPLEX,
      'The query has 2 aliases; at most 1 are allowed'
    ),
    refuses(
      'depth',
      '{ country(code: "BR") { continent { name } } }',
      COMPLEX,
      'The query is nested 3 levels deep; at most 2 are allowed'
    ),
    refuses(
      'cost',
      '{ countries { code name } }',
      COMPLEX,
      'This query requests about 501 fields; at most 300 are allowed'
    ),
    refuses(
      'tokens',
      `{ ${'country(code: "BR") { name } '.repeat(12)} }`,
      'GRAPHQL_PARSE_FAILED',
      'Syntax Error: Document contains more that 100 tokens. Parsing aborted.'
    ),
    {
      proves: 'batch',
      send: post(Array(3).fill({ query: '{ country(code: "BR") { name } }' })),
      expect: { status: 413, text: /limited to 2 operations/ }
    },
    {
      proves: 'body',
      send: post({ query: `{ country(code: "BR") { name } } #${'x'.repeat(2048)}` }),
      expect: { status: 413, text: /exceeds 2048 bytes/ }
    }
  ]
)
