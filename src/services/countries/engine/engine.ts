import { createYoga } from 'graphql-yoga'
import { createCache } from '../../../kernel/cache.ts'
import { createSearch } from '../query/search.ts'
import { type Records, readNames, readSubdivisions } from '../world/folder.ts'
import { createLocalName } from '../world/local-name.ts'
import { createWorld, type World } from '../world/world.ts'
import { createDepthOfValues } from './depth-of-values.ts'
import { createExecutionContext, type ExecutionContext } from './execution-context.ts'
import { countLists } from './list-sizes.ts'
import { createPersistedQueries } from './persisted-queries.ts'
import { createProtection, type Protection } from './protection.ts'
import { createForgivingParser } from './request-parser.ts'
import { createResolvers } from './resolvers.ts'
import { createSchema } from './schema.ts'

/** graphql-yoga requires an absolute URL; its host has no effect. */
const URL_BASE = 'http://localhost/'

/** Size of each document cache. A parsed document takes many times the memory of its string. */
const MAX_DOCUMENT_CHARACTERS = 128 * 1024

export interface EngineOptions extends Protection {
  batch: number
  report: (error: Error) => void
}

export interface GraphqlRequest {
  method: string
  /** Query string without the question mark; empty if the URL has no query. */
  query: string
  headers: Readonly<Record<string, string>>
  body: Buffer<ArrayBuffer> | undefined
}

export interface GraphqlResult {
  status: number
  type: string | undefined
  allow: string | undefined
  body: string
  /** The result is valid at this moment only and must not be cached. */
  momentary: boolean
}

export interface Engine {
  world: World
  run: (asked: GraphqlRequest, now: Date) => Promise<GraphqlResult>
}

/** Sets up graphql-yoga, which implements GraphQL over HTTP, with our schema, limits and caches. */
export function createEngine(records: Records, options: EngineOptions): Engine {
  const localName = createLocalName()
  const world = createWorld(records, readSubdivisions(), localName)
  let read: ReturnType<typeof readNames> | undefined
  const names = () => {
    read ??= readNames()
    return read
  }
  const search = createSearch(world.countries, () => names().values())
  const schema = createSchema(createResolvers({ world, localName, names, search }))
  const yoga = createYoga<{ execution: ExecutionContext }>({
    schema,
    graphqlEndpoint: '/',
    batching: { limit: options.batch },
    cors: false,
    graphiql: false,
    landingPage: false,
    multipart: false,
    maxRequestBodySize: false,
    logging: { debug() {}, info() {}, warn() {}, error: reportDefects(options.report) },
    parserAndValidationCache: {
      documentCache: createCache(MAX_DOCUMENT_CHARACTERS, (_, text) => text.length),
      errorCache: createCache(MAX_DOCUMENT_CHARACTERS, (_, text) => text.length)
    },
    plugins: [
      createForgivingParser(),
      createDepthOfValues(),
      createPersistedQueries(),
      createProtection(schema, countLists(world), options)
    ]
  })

  async function run(
    { method, query, headers, body }: GraphqlRequest,
    now: Date
  ): Promise<GraphqlResult> {
    const execution = createExecutionContext(now)
    const init =
      body === undefined ? { method, headers } : { method, headers, body: body.toString() }
    const request = new yoga.fetchAPI.Request(
      query === '' ? URL_BASE : `${URL_BASE}?${query}`,
      init
    )
    const response = await yoga.handleRequest(request, { execution })
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? undefined,
      allow: response.headers.get('allow') ?? undefined,
      body: await response.text(),
      momentary: execution.momentary
    }
  }

  return { world, run }
}

function reportDefects(report: (error: Error) => void) {
  return (...parts: unknown[]) => {
    for (const part of parts) if (part instanceof Error) report(part)
  }
}
