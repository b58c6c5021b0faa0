/** Requests that repeat one thing as often as the limits of the service allow. */
export type ServiceName =
  | 'reference'
  | 'boxes'
  | 'countries'
  | 'scenarios'
  | 'forms'
  | 'mailbox'
  | 'mock'
  | 'statuses'
  | 'cards'

export interface Case {
  service: ServiceName
  about: string
  method?: string
  path: string
  headers?: Readonly<Record<string, string>>
  body?: () => string
}

/** Node accepts 16 KiB of request line and headers; the rest of them needs some of it. */
const HEAD_BYTES = 15_500
const KIB = 1024
const MIB = 1024 * KIB

/** As many repetitions as fit; `#` is replaced by the number of the repetition. */
function fill(bytes: number, piece: string, separator = ''): string {
  if (!piece.includes('#')) {
    const pair = piece + separator
    const text = pair.repeat(Math.floor(bytes / pair.length))
    return text.slice(0, text.length - separator.length)
  }
  const parts: string[] = []
  let size = 0
  for (let index = 0; ; index++) {
    const part = piece.replaceAll('#', index.toString(36))
    size += part.length + separator.length
    if (size > bytes) return parts.join(separator)
    parts.push(part)
  }
}

const head = (piece: string, separator = '') => fill(HEAD_BYTES, piece, separator)

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }
const PARTS = { 'content-type': 'multipart/form-data; boundary=b' }
const XML = { 'content-type': 'application/xml' }
const CARDS_BYTES = 512 * KIB
const MAILBOX_BYTES = 60 * KIB
const FILE = '; filename="a"'
const FILTERED = 'query($c:[String!]){countries(filter:{code:{in:$c}}){code}}'
const FRAGMENTS = Array.from(
  { length: 110 },
  (_, n) => `fragment a${n} on Query{...a${n + 1}}`
).join(' ')
const part = (name: string, more = '') =>
  `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n\r\n`

function parts(bytes: number, name: string, more = ''): string {
  return `${fill(bytes - 5, part(name, more))}--b--\r\n`
}

function queries(service: ServiceName, path: string): Case[] {
  const kinds = [
    ['one name', head('a', '&')],
    ['one name with values', head('a=1', '&')],
    ['many names', head('a#', '&')],
    ['escapes', head('%C3%A4', '&')],
    ['brackets', `a${head('[a]')}=1`],
    ['empty', head('', '&&')]
  ] as const
  return kinds.map(([about, query]) => ({
    service,
    about: `query: ${about}`,
    path: `${path}?${query}`
  }))
}

function headers(service: ServiceName, path: string): Case[] {
  const kinds = [
    ['Accept list', 'accept', head('a/b', ',')],
    ['Accept parameters', 'accept', `a/b;${head('a=b', ';')}`],
    ['Accept with an open quote', 'accept', `a/b;a="${head(',')}`],
    ['Accept parameters with an open quote', 'accept', `a/b;a="${head(';')}`],
    ['Accept ranges', 'accept', head('a/#', ',')],
    ['Accept-Encoding', 'accept-encoding', head('gzip;q=0 ', ',')],
    ['Accept-Language', 'accept-language', head('a#', ',')],
    ['If-None-Match', 'if-none-match', head('"#"', ',')],
    ['If-None-Match of one tag', 'if-none-match', head('W/""', ',')],
    ['If-Match', 'if-match', head('"#"', ',')],
    ['Range', 'range', `bytes=${head('0-1', ',')}`],
    ['Prefer', 'prefer', head('a', ',')],
    ['Prefer with an open quote', 'prefer', `a="${head(',')}`],
    ['Prefer parameters', 'prefer', `a;${head('b=1', ';')}`],
    ['Cookie of one name', 'cookie', head('a=1', '; ')],
    ['Cookie of many names', 'cookie', head('a#=1', '; ')],
    ['Cookie of separators', 'cookie', head(';')],
    ['Connection', 'connection', head('a#', ',')],
    ['Forwarded', 'forwarded', head('for=1', ',')],
    ['X-Forwarded-For', 'x-forwarded-for', head('127.0.0.1', ',')],
    ['Content-Type', 'content-type', `a/b;${head('a=b', ';')}`],
    ['Origin', 'origin', `http://${head('a', '.')}`],
    ['Access-Control-Request-Headers', 'access-control-request-headers', head('a#', ',')]
  ] as const
  return kinds.map(([about, name, value]) => ({
    service,
    about: `header: ${about}`,
    path,
    headers: { [name]: value }
  }))
}

/** Node rejects much more than a thousand headers. */
const MAX_HEADERS = 900

function manyHeaders(service: ServiceName, path: string): Case {
  const names = head('x#', ',').split(',', MAX_HEADERS)
  return {
    service,
    about: 'headers: many names',
    path,
    headers: Object.fromEntries(names.map((name) => [name, '']))
  }
}

function general(service: ServiceName, path: string): Case[] {
  return [...queries(service, path), ...headers(service, path), manyHeaders(service, path)]
}

const gets = (service: ServiceName, rows: readonly (readonly [string, string])[]): Case[] =>
  rows.map(([about, path]) => ({ service, about, path }))

type Headers = Readonly<Record<string, string>>
type Post = readonly [about: string, headers: Headers, body: () => string, path?: string]

const posts = (service: ServiceName, path: string, rows: readonly Post[]): Case[] =>
  rows.map(([about, headers, body, own = path]) => ({
    ...{ service, about, method: 'POST', path: own },
    ...{ headers, body }
  }))

const object = (bytes: number, member: string) => `{${fill(bytes - 2, member, ',')}}`
const array = (bytes: number, item: string) => `[${fill(bytes - 2, item, ',')}]`
const numbered = (count: number, text: string) =>
  Array.from({ length: count }, (_, n) => text.replace('#', String(n))).join('&')

const SCENARIOS_BYTES = MIB
const COUNTRIES_BYTES = 64 * KIB
const FORMS_BYTES = 64 * KIB
const MOCK_BYTES = 10 * MIB
const query = (text: string, more = '') => `{"query":"${text}"${more}}`

export const CASES: readonly Case[] = [
  ...general('scenarios', '/api/echo'),
  ...general('scenarios', '/w/many/api/users'),
  ...posts('scenarios', '/api/users', [
    ['form of one name, 120 KB', FORM, () => fill(120_000, 'a', '&')],
    ['the same, stored', FORM, () => fill(120_000, 'a', '&'), '/w/many/api/users'],
    ['form of one name', FORM, () => fill(SCENARIOS_BYTES, 'a', '&'), '/api/login'],
    ['form of 10,000 fields', FORM, () => fill(20_000, 'a', '&')],
    ['form of many names', FORM, () => fill(SCENARIOS_BYTES, 'a#', '&')],
    ['form of separators', FORM, () => fill(SCENARIOS_BYTES, '&')],
    ['array', JSON_TYPE, () => array(SCENARIOS_BYTES, '1')],
    ['object of one name', JSON_TYPE, () => object(SCENARIOS_BYTES, '"a":1')],
    ['object of many names', JSON_TYPE, () => object(SCENARIOS_BYTES, '"a#":1')],
    ['object, stored', JSON_TYPE, () => object(80_000, '"a#":1'), '/w/many/api/users'],
    [
      'tags',
      JSON_TYPE,
      () => `{"email":"a${fill(MIB - 40, '+slow')}@x","password":"a"}`,
      '/api/login'
    ],
    ['multipart fields', PARTS, () => parts(2 * MIB, 'a'), '/api/uploads'],
    ['multipart files', PARTS, () => parts(2 * MIB, 'a', FILE), '/api/uploads'],
    ['multipart file names', PARTS, () => part('a', fill(15_000, FILE)), '/w/many/api/uploads']
  ]),
  ...gets('scenarios', [
    ['list of scenarios', `/api/users?scenario=${head('slow', ',')}`],
    ['secret names in a query', `/w/many/api/users?${head('code#', '&')}`],
    ['prefixes', `${head('/w/a')}/api/users`],
    ['long path with rules', `/w/rules/api/users/${head('a')}`]
  ]),

  ...general('reference', '/api/people/'),
  ...gets('reference', [
    ['ids', `/api/people/${head('1', ',')}/`],
    ['fields', `/api/people/?fields=${head('name', ',')}`],
    ['expand', `/api/people/1/?expand=${head('films', ',')}`],
    ['search', `/api/people/?search=${head('a', ',')}`],
    ['ordering', `/api/people/?page_size=100&ordering=${head('gender', ',')}`],
    ['sort', `/api/people/?sort=${head('gender:asc', ',')}`],
    ['in', `/api/people/?name__in=${head('a', ',')}`],
    ['in, many', `/api/people/?name__in=${head('#', ',')}`],
    ['in, numbers', `/api/people/?height__in=${head('1', ',')}`],
    ['in, links', `/api/people/?films__in=${head('9', ',')}`],
    ['contains', `/api/people/?${head('name__contains__#=a', '&')}`],
    ['at least', `/api/people/?${head('height__gte__#=0', '&')}`]
  ]),

  ...general('boxes', '/repeated'),
  ...gets('boxes', [
    ['q', `/repeated?q=${fill(8192, 'a:1', ',')}`],
    ['several q', `/repeated?${head('q=a:1', '&')}`],
    ['q of escapes', `/repeated?q=${head('\\\\')}`],
    ['where', `/repeated?where={"a":{"$in":[${fill(8000, '1', ',')}]}}`],
    ['where, and', `/repeated?where={"$and":[${fill(8000, '{}', ',')}]}`],
    ['sort', `/repeated?sort=${fill(8192, 'a', ',')}`],
    ['fields', `/repeated?fields=${head('a#', ',')}`],
    ['fields of one path', `/repeated?fields=${head('a', '.')}`],
    ['path', `/repeated${head('/a')}`]
  ]),
  ...posts('boxes', '/repeated', [
    ['object of one name', JSON_TYPE, () => object(MIB, '"a":1')],
    ['object of many names', JSON_TYPE, () => object(MIB, '"a#":1')],
    ['array of records', JSON_TYPE, () => array(MIB, '{}')],
    ['form', FORM, () => fill(10 * MIB, 'a', '&')]
  ]),

  ...general('countries', '/'),
  ...posts('countries', '/', [
    [
      'form of one name',
      FORM,
      () => `query=%7B__typename%7D&${fill(COUNTRIES_BYTES - 30, 'a', '&')}`
    ],
    [
      'form of many names',
      FORM,
      () => `query=%7B__typename%7D&${fill(COUNTRIES_BYTES - 30, 'a#', '&')}`
    ],
    ['multipart fields', PARTS, () => parts(COUNTRIES_BYTES, 'query')],
    ['batch', JSON_TYPE, () => array(COUNTRIES_BYTES, '{}')],
    [
      'variables',
      JSON_TYPE,
      () => query('{__typename}', `,"variables":${object(60 * KIB, '"a#":1')}`)
    ],
    [
      'values of a filter',
      JSON_TYPE,
      () => query(FILTERED, `,"variables":{"c":${array(60 * KIB, '"BR"')}}`)
    ],
    ['one field', JSON_TYPE, () => query(`{${'__typename '.repeat(990)}}`)],
    ['directives', JSON_TYPE, () => query(`{__typename ${'@a '.repeat(480)}}`)],
    ['fragments', JSON_TYPE, () => query(`{...a0} ${FRAGMENTS}`)]
  ]),

  ...general('forms', '/'),
  ...posts('forms', '/', [
    ['form of one name', FORM, () => fill(FORMS_BYTES, 'a', '&')],
    ['form of many names', FORM, () => fill(FORMS_BYTES, 'a#', '&')],
    ['multipart fields', PARTS, () => parts(FORMS_BYTES, 'a')],
    ['multipart files', PARTS, () => parts(FORMS_BYTES, 'a', FILE)],
    ['object', JSON_TYPE, () => object(FORMS_BYTES, '"a#":1')]
  ]),

  ...general('statuses', '/search'),
  ...general('statuses', '/i/status/20'),
  ...gets('statuses', [
    ['words', `/search?q=${head('a', '+')}`],
    ['words, 64', `/search?q=${'a+'.repeat(64)}`],
    ['excluded words, 64', `/search?q=${'-a+'.repeat(64)}`],
    ['phrases', `/search?q=${'%22a+b%22+'.repeat(32)}`],
    ['quotation marks', `/search?q=${head('%22')}`],
    ['operators', `/search?q=${head('from:a', '+')}`],
    ['dates', `/search?q=${fill(490, 'since:2009', '+')}`],
    ['marks', `/search?q=a${fill(2_900, '%CC%81')}`],
    ['several q', `/search?${head('q=a', '&')}`],
    ['URL of oEmbed', `/oembed?url=https://x.com${head('/a')}`],
    ['several URLs of oEmbed', `/oembed?${head('url=a', '&')}`],
    ['id', `/i/status/${head('9')}`],
    ['segments', head('/a')],
    ['slashes', `${head('/')}status/20`],
    ['size', `/media/default.svg?name=${head('1')}x1`]
  ]),

  ...general('mailbox', '/v1/sandbox/messages'),
  ...gets('mailbox', [
    ['words', `/v1/sandbox/messages?search=${head('a', '+')}`],
    ['several words', `/v1/sandbox/messages?${head('search=a', '&')}`],
    ['pages', `/v1/sandbox/messages?page=${head('9')}`],
    ['recipient', `/v1/sandbox/wait?timeout=0&to=${head('a@b.c', ',')}`],
    ['subject', `/v1/sandbox/wait?timeout=0&subject=${head('a')}`],
    ['id', `/v1/sandbox/messages/${head('a')}`],
    ['account', `/v1/sandbox/accounts/${head('a')}`],
    ['segments', `/v1${head('/a')}`],
    ['slashes', `/v1${head('/')}sandbox/messages`]
  ]),
  ...posts('mailbox', '/v1/sandbox/accounts', [
    ['form of many names', FORM, () => fill(MAILBOX_BYTES, 'a#', '&')],
    ['object', JSON_TYPE, () => object(MAILBOX_BYTES, '"a#":1')],
    ['nested arrays', JSON_TYPE, () => `{"a":${'['.repeat(MAILBOX_BYTES / 2)}`],
    ['address', JSON_TYPE, () => `{"address":"${fill(MAILBOX_BYTES, 'a@')}"}`]
  ]),

  ...general('cards', '/content/portfolio/cards'),
  ...general('cards', '/1/boards/aaaaaaaa'),
  ...gets('cards', [
    ['words', `/content/portfolio/cards?q=${head('a', '+')}`],
    ['words, 64', `/content/portfolio/cards?q=${'a+'.repeat(64)}`],
    ['labels', `/content/portfolio/cards?label=${head('a', ',')}`],
    ['several labels', `/content/portfolio/cards?${head('label=a', '&')}`],
    ['cursor', `/content/portfolio/cards?cursor=${head('a')}`],
    ['fields', `/1/boards/aaaaaaaa/cards?fields=${head('a', ',')}`],
    ['batch', `/1/batch?urls=${head('/boards/aaaaaaaa', ',')}`],
    ['id', `/1/cards/${head('a')}`],
    ['segments', `/1${head('/a')}`],
    ['slashes', `/1${head('/')}cards`],
    ['image', `/images/${head('a')}.png`],
    ['several tokens', `/1/members/me?${head('token=a', '&')}`]
  ]),
  ...posts('cards', '/1/cards', [
    ['form of one name', FORM, () => fill(CARDS_BYTES, 'a', '&')],
    ['form of many names', FORM, () => fill(CARDS_BYTES, 'a#', '&')],
    ['nested form', FORM, () => `a${fill(CARDS_BYTES, '[a]')}=1`],
    ['indexes of a form', FORM, () => fill(CARDS_BYTES, 'idLabels[#]=1', '&')],
    ['multipart fields', PARTS, () => parts(CARDS_BYTES, 'a')],
    ['multipart files', PARTS, () => parts(CARDS_BYTES, 'a', FILE)],
    ['object', JSON_TYPE, () => object(CARDS_BYTES, '"a#":1')],
    ['nested arrays', JSON_TYPE, () => `{"a":${'['.repeat(CARDS_BYTES / 2)}`]
  ]),

  ...general('mock', '/things'),
  ...gets('mock', [
    ['array', `/things?list=${head('1', ',')}`],
    ['repeated array', `/things?${head('each=1', '&')}`],
    ['pipes', `/things?pipes=${head('1', '|')}`],
    ['spaces', `/things?spaces=${head('1', '%20')}`],
    ['deep object', `/things?${head('deep[a#]=1', '&')}`],
    ['deep object of one name', `/things?${head('deep[a]=1', '&')}`],
    ['deep object, indexes', `/things?${head('deep[]=1', '&')}`],
    ['open object', `/things?${head('x#=1', '&')}`],
    ['pairs of an object', `/things?object=${head('a#,1', ',')}`],
    ['matrix', `/matrix/${head(';m=1')}`],
    ['label', `/label/${head('.1')}`],
    ['unknown path', head('/a')],
    ['preferences', `/things?${head('__seed=1', '&')}`]
  ]),
  {
    service: 'mock',
    about: 'list in a header',
    path: '/things',
    headers: { 'x-list': head('1', ',') }
  },
  {
    service: 'mock',
    about: 'array in a cookie',
    path: '/things',
    headers: { cookie: head('list=1', '; ') }
  },
  {
    service: 'mock',
    about: 'digest',
    path: '/secured',
    headers: { authorization: `Digest ${head('a#=1', ',')}` }
  },
  ...posts('mock', '/things', [
    ['form of one name', FORM, () => fill(MOCK_BYTES, 'a', '&')],
    ['form of separators', FORM, () => fill(MOCK_BYTES, '&')],
    ['form of 9,999 names', FORM, () => numbered(9999, 'a#')],
    ['form of 9,999 members', FORM, () => numbered(9999, 'deep[a#]')],
    ['form of one list', FORM, () => `joined=${fill(MOCK_BYTES - 10, '1', ',')}`],
    ['form of one encoded list', FORM, () => `joined=${fill(MOCK_BYTES - 10, '1', '%2C')}`],
    ['multipart fields', PARTS, () => parts(MOCK_BYTES, 'a')],
    ['multipart fields, 9,990', PARTS, () => `${part('a').repeat(9990)}--b--\r\n`],
    ['multipart files, 9,990', PARTS, () => `${part('a', FILE).repeat(9990)}--b--\r\n`],
    ['XML elements', XML, () => `<t>${fill(MIB, '<a/>')}</t>`],
    ['XML elements, 49,990', XML, () => `<t>${'<a/>'.repeat(49_990)}</t>`],
    ['XML attributes', XML, () => `<t${fill(MIB, ' a#=""')}/>`]
  ])
]

/** As many rules for one workspace as are allowed, with as many stars. */
export const RULES = Array.from({ length: 100 }, () => ({
  path: '*a'.repeat(250),
  scenario: 'slow:1'
}))

const INTEGERS = { type: 'array', items: { type: 'integer' } }
const MAP = { type: 'object', additionalProperties: { type: 'integer' } }
const OK = { 200: { description: 'ok', content: { 'application/json': { example: {} } } } }
const THING = {
  type: 'object',
  properties: {
    a: { type: 'string' },
    deep: { type: 'object', additionalProperties: { type: 'string' } },
    joined: INTEGERS
  }
}
const inQuery = (name: string, more: object) => ({ name, in: 'query', ...more })
const inPath = (style: string) => ({
  get: {
    parameters: [{ name: 'm', in: 'path', required: true, style, explode: true, schema: INTEGERS }],
    responses: OK
  }
})

/** Parameters of every style, and a body of every kind that has names. */
export const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Repeated names', version: '1' },
  components: { securitySchemes: { digest: { type: 'http', scheme: 'digest' } } },
  paths: {
    '/secured': { get: { security: [{ digest: [] }], responses: OK } },
    '/matrix/{m}': inPath('matrix'),
    '/label/{m}': inPath('label'),
    '/things': {
      get: {
        parameters: [
          inQuery('list', { explode: false, schema: INTEGERS }),
          inQuery('each', { schema: { ...INTEGERS, uniqueItems: true } }),
          inQuery('pipes', { style: 'pipeDelimited', explode: false, schema: INTEGERS }),
          inQuery('spaces', { style: 'spaceDelimited', explode: false, schema: INTEGERS }),
          inQuery('deep', { style: 'deepObject', explode: true, schema: MAP }),
          inQuery('object', { explode: false, schema: MAP }),
          inQuery('open', { schema: MAP }),
          { name: 'x-list', in: 'header', schema: INTEGERS },
          { name: 'list', in: 'cookie', schema: INTEGERS }
        ],
        responses: {
          200: {
            description: 'ok',
            content: {
              'application/json': { example: {} },
              'text/*': { example: 'a' },
              'application/xml': { example: {} },
              'application/vnd.a+json': { example: {} }
            }
          }
        }
      },
      post: {
        requestBody: {
          content: {
            'application/json': { schema: THING },
            'application/xml': { schema: THING },
            'multipart/form-data': { schema: THING },
            'application/x-www-form-urlencoded': {
              schema: THING,
              encoding: { deep: { style: 'deepObject', explode: true }, joined: { explode: false } }
            }
          }
        },
        responses: OK
      }
    }
  }
}
