import assert from 'node:assert/strict'
import { getIntrospectionQuery } from 'graphql'
import { contract, type Row, type Sent } from '../support/contract.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const RESPONSE_TYPE = 'application/graphql-response+json; charset=utf-8'

interface Params {
  query?: string
  variables?: object
  operationName?: string
  extensions?: object
}

function post(body: Params | readonly Params[] | string, headers = {}, path = '/'): Sent {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return {
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: text
  }
}

function get(params: Record<string, string>, headers = {}): Sent {
  return { path: `/?${new URLSearchParams(params)}`, headers }
}

function ask(query: string, variables?: object): Sent {
  return post({ query, ...(variables && { variables }) })
}

function data(value: object): Row['expect'] {
  return { status: 200, type: JSON_TYPE, json: { data: value } }
}

function failure(code: string, message: string | RegExp): Row['expect'] {
  return {
    status: 200,
    type: JSON_TYPE,
    check({ text }) {
      const [error] = JSON.parse(text).errors
      if (typeof message === 'string') assert.equal(error.message, message)
      else assert.match(error.message, message)
      assert.equal(error.extensions?.code, code)
    }
  }
}

const BROKEN_PARAMETERS: Row['expect'] = {
  status: 400,
  json: {
    errors: [
      {
        message: 'variables and extensions must be valid JSON.',
        extensions: { code: 'BAD_REQUEST' }
      }
    ]
  }
}

const SEED_QUERY = '{ country(code: "BR") { name native emoji currency languages { code name } } }'
const BRAZIL = {
  country: {
    name: 'Brazil',
    native: 'Brasil',
    emoji: '🇧🇷',
    currency: 'BRL',
    languages: [{ code: 'pt', name: 'Portuguese' }]
  }
}

contract('countries, as the seed shows it', { service: 'countries' }, [
  {
    proves: 'a POST with one field, query, is answered with the fields it selects',
    send: post({ query: SEED_QUERY }),
    expect: {
      status: 200,
      type: JSON_TYPE,
      text: JSON.stringify({ data: BRAZIL })
    }
  },
  {
    proves: 'any of the fields will do',
    send: ask('{ country(code: "BR") { emoji } }'),
    expect: data({ country: { emoji: '🇧🇷' } })
  },
  {
    proves: 'the code is a string',
    send: ask('query ($code: String!) { country(code: $code) { name } }', { code: 'BR' }),
    expect: data({ country: { name: 'Brazil' } })
  },
  {
    proves: 'no credential is needed, and one that is sent changes nothing',
    send: post({ query: SEED_QUERY }, { authorization: 'Bearer nobody' }),
    expect: data(BRAZIL)
  },
  {
    proves: 'a country without currency and languages has the whole record',
    send: ask('{ country(code: "AQ") { name native emoji currency languages { code name } } }'),
    expect: data({
      country: {
        name: 'Antarctica',
        native: 'Antarctica',
        emoji: '🇦🇶',
        currency: null,
        languages: []
      }
    })
  }
])

contract('countries over HTTP, as the original answers', { service: 'countries' }, [
  ...['/', '/graphql', '/graphql/'].map((path) => ({
    proves: `a good query by POST to ${path}`,
    send: post({ query: SEED_QUERY }, {}, path),
    expect: data(BRAZIL)
  })),
  {
    proves: 'a good query by GET',
    send: get({ query: SEED_QUERY }),
    expect: {
      ...data(BRAZIL),
      headers: { 'cache-control': 'public, max-age=3600', etag: /^"[\w-]{27}"$/ }
    }
  },
  {
    proves: 'variables and operationName by GET',
    send: get({
      query: 'query A($c: ID!) { country(code: $c) { name } } query B { continents { code } }',
      operationName: 'A',
      variables: '{"c":"de"}'
    }),
    expect: data({ country: { name: 'Germany' } })
  },
  {
    proves: 'a syntax error',
    send: ask('{ country(code'),
    expect: {
      status: 200,
      type: JSON_TYPE,
      json: {
        errors: [
          {
            message: 'Syntax Error: Expected ":", found <EOF>.',
            locations: [{ line: 1, column: 15 }],
            extensions: { code: 'GRAPHQL_PARSE_FAILED' }
          }
        ]
      }
    }
  },
  {
    proves: 'an unknown field',
    send: ask('{ country(code: "BR") { zzzz } }'),
    expect: {
      status: 200,
      type: JSON_TYPE,
      json: {
        errors: [
          {
            message: 'Cannot query field "zzzz" on type "Country".',
            locations: [{ line: 1, column: 25 }],
            extensions: { code: 'GRAPHQL_VALIDATION_FAILED' }
          }
        ]
      }
    }
  },
  {
    proves: 'a missing argument',
    send: ask('{ country { name } }'),
    expect: failure(
      'GRAPHQL_VALIDATION_FAILED',
      'Field "country" argument "code" of type "ID!" is required, but it was not provided.'
    )
  },
  ...['{ country(code', '{ nope }'].map((query) => ({
    proves: `${query} is 400 for clients of the newer media type`,
    send: post({ query }, { accept: 'application/graphql-response+json' }),
    expect: { status: 400, type: RESPONSE_TYPE, text: /^\{"errors":\[\{"message":/ }
  })),
  {
    proves: 'both media types with a preference, as Apollo and urql send them',
    send: post(
      { query: SEED_QUERY, extensions: { clientLibrary: { name: 'x' } }, variables: {} },
      { accept: 'application/graphql-response+json, application/json;q=0.9' }
    ),
    expect: { status: 200, type: RESPONSE_TYPE, json: { data: BRAZIL } }
  },
  {
    proves: 'a body that is no JSON',
    send: post('{"query":'),
    expect: {
      status: 400,
      type: JSON_TYPE,
      check({ text }) {
        const [{ message, extensions }] = JSON.parse(text).errors
        assert.equal(message, 'POST body sent invalid JSON.')
        assert.equal(extensions.code, 'BAD_REQUEST')
      }
    }
  },
  ...['variables', 'extensions'].flatMap((name) => [
    {
      proves: `${name} that are no JSON, in the address`,
      send: get({ query: SEED_QUERY, [name]: '{' }),
      expect: BROKEN_PARAMETERS
    },
    {
      proves: `${name} that are no JSON, in a form`,
      send: {
        method: 'POST',
        path: '/',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `${new URLSearchParams({ query: SEED_QUERY, [name]: '{' })}`
      },
      expect: BROKEN_PARAMETERS
    }
  ]),
  {
    proves: 'no query',
    send: post({}),
    expect: {
      status: 200,
      type: JSON_TYPE,
      headers: { allow: 'GET, POST' },
      json: {
        errors: [{ message: 'Must provide query string.', extensions: { code: 'BAD_REQUEST' } }]
      }
    }
  },
  {
    proves: 'a mutation',
    send: ask('mutation { a }'),
    expect: {
      status: 200,
      text: /"message":"Schema is not configured to execute mutation operation\."/
    }
  },
  {
    proves: 'a batch is answered in its order',
    send: post([
      { query: '{ country(code: "BR") { name } }' },
      { query: '{ nope }' },
      { query: '{ country(code: "DE") { name } }' }
    ]),
    expect: {
      status: 200,
      check({ text }) {
        const [first, second, third] = JSON.parse(text)
        assert.deepEqual(first, { data: { country: { name: 'Brazil' } } })
        assert.equal(second.errors[0].extensions.code, 'GRAPHQL_VALIDATION_FAILED')
        assert.deepEqual(third, { data: { country: { name: 'Germany' } } })
      }
    }
  },
  {
    proves: 'another method',
    send: { method: 'PUT', path: '/', body: '{}', headers: { 'content-type': 'application/json' } },
    expect: {
      status: 405,
      headers: { allow: 'GET, POST' },
      json: {
        errors: [
          {
            message: 'GraphQL only supports GET and POST requests.',
            extensions: { code: 'BAD_REQUEST' }
          }
        ]
      }
    }
  },
  {
    proves: 'a refused method leaves the answer to GET alone',
    send: get({ query: SEED_QUERY }),
    expect: data(BRAZIL)
  },
  {
    proves: 'another content type',
    send: {
      method: 'POST',
      path: '/',
      body: SEED_QUERY,
      headers: { 'content-type': 'text/plain' }
    },
    expect: { status: 415, text: '' }
  },
  {
    proves: 'a browser gets the playground',
    send: { path: '/', headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } },
    expect: {
      status: 200,
      type: 'text/html; charset=utf-8',
      text: /<h1>Countries playground<\/h1>/,
      headers: {
        'content-security-policy': /^default-src 'none'; script-src 'self' 'sha256-[^']+';/
      }
    }
  },
  {
    proves: 'a browser that brings a query gets its answer',
    send: get({ query: SEED_QUERY }, { accept: 'text/html,*/*;q=0.8' }),
    expect: data(BRAZIL)
  },
  {
    proves: 'every answer may be read by pages of any origin',
    send: post({ query: SEED_QUERY }, { origin: 'https://app.example' }),
    expect: {
      status: 200,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': null
      }
    }
  },
  {
    proves: 'so may errors',
    send: { path: '/nope' },
    expect: {
      status: 404,
      headers: { 'access-control-allow-origin': '*' },
      json: {
        errors: [{ message: 'No route GET /nope', extensions: { code: 'ROUTE_NOT_FOUND' } }]
      }
    }
  },
  {
    proves: 'a preflight passes',
    send: {
      method: 'OPTIONS',
      path: '/',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-mine'
      }
    },
    expect: {
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'content-type,x-mine',
        'access-control-allow-methods': 'GET, POST'
      }
    }
  },
  {
    proves: 'introspection is on, and fits the limits',
    send: ask(
      getIntrospectionQuery({
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        oneOf: true
      })
    ),
    expect: { status: 200, text: /^\{"data":\{"__schema":/ }
  }
])

contract('what countries are found by', { service: 'countries' }, [
  ...['BR', 'br', 'BRA', 'bra', '076', '76'].map((code) => ({
    proves: `the code ${code}`,
    send: ask('query ($code: ID!) { country(code: $code) { code } }', { code }),
    expect: data({ country: { code: 'BR' } })
  })),
  {
    proves: 'a numeric code as a number',
    send: ask('{ country(code: 76) { code } }'),
    expect: data({ country: { code: 'BR' } })
  },
  {
    proves: 'an unknown code is null and no error',
    send: ask('{ country(code: "QQ") { code } language(code: "qq") { code } }'),
    expect: data({ country: null, language: null })
  },
  {
    proves: 'a code of a prototype is unknown too',
    send: ask('{ country(code: "__proto__") { code } continent(code: "constructor") { code } }'),
    expect: data({ country: null, continent: null })
  },
  {
    proves: 'documents with $code: String! and $code: ID! both work',
    send: ask(
      'query ($a: String!, $b: ID!, $c: [String!], $d: ID) { a: country(code: $a) { code } b: country(code: $b) { code } countries(filter: { code: { in: $c, eq: $d } }) { code } }',
      { a: 'de', b: 'fr', c: ['DE', 'FR'], d: 'FR' }
    ),
    expect: data({ a: { code: 'DE' }, b: { code: 'FR' }, countries: [{ code: 'FR' }] })
  },
  {
    proves: 'a variable with a default may stand where null is not allowed',
    send: ask('query ($a: String = "it") { country(code: $a) { code } }'),
    expect: data({ country: { code: 'IT' } })
  },
  {
    proves: 'a variable of another type is refused as ever',
    send: ask('query ($a: Int!) { country(code: $a) { code } }', { a: 76 }),
    expect: failure(
      'GRAPHQL_VALIDATION_FAILED',
      'Variable "$a" of type "Int!" used in position expecting type "ID!".'
    )
  },
  {
    proves: 'the code of a document from before 2020 may be a variable that may be null',
    send: ask('query ($a: String) { country(code: $a) { code } }', { a: 'BR' }),
    expect: data({ country: { code: 'BR' } })
  },
  {
    proves: 'which is an error of that field when it is null',
    send: ask('query ($a: String) { country(code: $a) { code } continents { code } }', { a: null }),
    expect: {
      status: 200,
      text: /^\{"errors":\[\{"message":"Argument \\"code\\" of non-null type \\"ID!\\" must not be null\.".*"data":\{"country":null,"continents":\[/
    }
  },
  {
    proves: 'any other variable that may be null is refused where null is not allowed',
    send: ask('query ($a: ID) { country(code: $a) { code } }', { a: 'BR' }),
    expect: failure('GRAPHQL_VALIDATION_FAILED', /^Variable "\$a" of type "ID" used/)
  },
  {
    proves: 'continents and languages in any case',
    send: ask('{ continent(code: "eu") { name } language(code: "PT") { name native rtl } }'),
    expect: data({
      continent: { name: 'Europe' },
      language: { name: 'Portuguese', native: 'Português', rtl: false }
    })
  },
  {
    proves: 'the seven continents in the order of their codes',
    send: ask('{ continents { code name } }'),
    expect: data({
      continents: [
        { code: 'AF', name: 'Africa' },
        { code: 'AN', name: 'Antarctica' },
        { code: 'AS', name: 'Asia' },
        { code: 'EU', name: 'Europe' },
        { code: 'NA', name: 'North America' },
        { code: 'OC', name: 'Oceania' },
        { code: 'SA', name: 'South America' }
      ]
    })
  },
  {
    proves: 'from a language to its countries and back',
    send: ask('{ language(code: "pap") { name countries { code languages { code } } } }'),
    expect: data({
      language: {
        name: 'Papiamento',
        countries: [
          { code: 'AW', languages: [{ code: 'nl' }, { code: 'pap' }] },
          { code: 'CW', languages: [{ code: 'nl' }, { code: 'pap' }, { code: 'en' }] }
        ]
      }
    })
  }
])

contract('fields of a country', { service: 'countries' }, [
  {
    proves: 'all fields of the original',
    send: ask(
      '{ country(code: "CH") { code name native phone phones capital currency currencies emoji emojiU continent { code name } languages { code rtl } awsRegion } }'
    ),
    expect: data({
      country: {
        code: 'CH',
        name: 'Switzerland',
        native: 'Schweiz',
        phone: '41',
        phones: ['41'],
        capital: 'Bern',
        currency: 'CHF',
        currencies: ['CHF'],
        emoji: '🇨🇭',
        emojiU: 'U+1F1E8 U+1F1ED',
        continent: { code: 'EU', name: 'Europe' },
        languages: [
          { code: 'de', rtl: false },
          { code: 'fr', rtl: false },
          { code: 'it', rtl: false },
          { code: 'rm', rtl: false }
        ],
        awsRegion: 'eu-central-2'
      }
    })
  },
  {
    proves: 'several dial codes are joined by commas',
    send: ask('{ country(code: "DO") { phone phones } }'),
    expect: data({ country: { phone: '1809,1829,1849', phones: ['1809', '1829', '1849'] } })
  },
  {
    proves: 'no currency and no capital are null and an empty list',
    send: ask('{ country(code: "AQ") { capital currency currencies currencyInfo { code } } }'),
    expect: data({ country: { capital: null, currency: null, currencies: [], currencyInfo: [] } })
  },
  {
    proves: 'alpha-3, numeric, aliases and all continents',
    send: ask('{ country(code: "RU") { alpha3 numeric aliases continents { code } } }'),
    expect: data({
      country: {
        alpha3: 'RUS',
        numeric: '643',
        aliases: ['Russian Federation'],
        continents: [{ code: 'EU' }, { code: 'AS' }]
      }
    })
  },
  {
    proves: 'what a currency is called, and its countries',
    send: ask(
      '{ country(code: "CH") { currencyInfo { code name symbol digits countries { code } } } }'
    ),
    expect: data({
      country: {
        currencyInfo: [
          {
            code: 'CHF',
            name: 'Swiss Franc',
            symbol: 'CHF',
            digits: 2,
            countries: [{ code: 'CH' }, { code: 'LI' }]
          }
        ]
      }
    })
  },
  {
    proves: 'a currency by its code',
    send: ask('{ currency(code: "jpy") { name symbol digits in: name(lang: "ja") } }'),
    expect: data({ currency: { name: 'Japanese Yen', symbol: '¥', digits: 0, in: '日本円' } })
  },
  {
    proves: 'subdivisions where the original had none, with their parents',
    send: ask('{ country(code: "IT") { subdivisions { code name parent { name } } } }'),
    expect: {
      status: 200,
      check({ text }) {
        const { subdivisions } = JSON.parse(text).data.country
        assert.ok(subdivisions.length > 100)
        const rome = subdivisions.find(({ code }: { code: string }) => code === 'IT-RM')
        assert.deepEqual(rome, { code: 'IT-RM', name: 'Roma', parent: { name: 'Lazio' } })
      }
    }
  },
  {
    proves: 'states are the subdivisions that are in no other',
    send: ask('{ country(code: "DE") { states { code name country { code } } } }'),
    expect: {
      status: 200,
      check({ text }) {
        const { states } = JSON.parse(text).data.country
        assert.equal(states.length, 16)
        assert.deepEqual(states[0], {
          code: 'BB',
          name: 'Brandenburg',
          country: { code: 'DE' }
        })
      }
    }
  },
  {
    proves: 'flags of subdivisions',
    send: ask('{ country(code: "GB") { subdivisions { code emoji } } }'),
    expect: {
      status: 200,
      check({ text }) {
        const all: { code: string; emoji: string | null }[] =
          JSON.parse(text).data.country.subdivisions
        assert.deepEqual(
          all.filter(({ emoji }) => emoji !== null),
          [
            { code: 'GB-ENG', emoji: '🏴󠁧󠁢󠁥󠁮󠁧󠁿' },
            { code: 'GB-SCT', emoji: '🏴󠁧󠁢󠁳󠁣󠁴󠁿' },
            { code: 'GB-WLS', emoji: '🏴󠁧󠁢󠁷󠁬󠁳󠁿' }
          ]
        )
      }
    }
  },
  ...Object.entries({
    en: 'Germany',
    ru: 'Германия',
    es: 'Alemania',
    fr: 'Allemagne',
    de: 'Deutschland',
    ja: 'ドイツ',
    tr: 'Almanya',
    pt: 'Alemanha',
    fa: 'آلمان',
    it: 'Germania',
    zh: '德国',
    nl: 'Duitsland',
    pl: 'Niemcy',
    vi: 'Đức',
    sv: 'Tyskland',
    'pt-PT': 'Alemanha',
    'zh-Hant': '德國',
    EN: 'Germany',
    'en-GB': 'Germany'
  }).map(([lang, name]) => ({
    proves: `the name in ${lang}`,
    send: ask('query ($lang: String) { country(code: "DE") { name(lang: $lang) } }', { lang }),
    expect: data({ country: { name } })
  })),
  {
    proves: 'any English is that of the data',
    send: ask(
      '{ country(code: "TR") { name a: name(lang: "en-US") b: name(lang: "EN") c: name(lang: "en-Latn-GB") } language(code: "bn") { name(lang: "en-GB") } }'
    ),
    expect: data({
      country: { name: 'Türkiye', a: 'Türkiye', b: 'Türkiye', c: 'Türkiye' },
      language: { name: 'Bengali' }
    })
  },
  ...['xq', 'nonsense', 'en-u-ca-buddhist', '', '__proto__'].map((lang) => ({
    proves: `a language that nobody knows, ${lang}, as the original words it`,
    send: ask('query ($lang: String) { country(code: "DE") { name(lang: $lang) } }', { lang }),
    expect: {
      status: 200,
      json: {
        errors: [
          {
            message: 'Invalid input',
            locations: [{ line: 1, column: 47 }],
            path: ['country', 'name', 'lang'],
            extensions: { code: 'VALIDATION_ERROR' }
          }
        ],
        data: { country: null }
      }
    }
  })),
  {
    proves: 'the name of a language in another',
    send: ask('{ language(code: "de") { name(lang: "fr") } }'),
    expect: data({ language: { name: 'allemand' } })
  },
  {
    proves: 'time zones with the offset of this moment, which is not kept',
    send: get({ query: '{ country(code: "IN") { timezones { name utcOffset } } }' }),
    expect: {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      json: { data: { country: { timezones: [{ name: 'Asia/Kolkata', utcOffset: '+05:30' }] } } }
    }
  },
  {
    proves: 'where the data comes from',
    send: ask('{ _meta { dataVersion updated sources { name version licence } } }'),
    expect: {
      status: 200,
      headers: { 'x-data-version': /^\d{4}\.\d{2}\.\d{2}$/ },
      check({ text }) {
        const { sources } = JSON.parse(text).data._meta
        assert.deepEqual(
          sources.map(({ name }: { name: string }) => name),
          ['countries-list', 'iso-3166', 'tz', 'CLDR', 'nonet overlay']
        )
      }
    }
  }
])
