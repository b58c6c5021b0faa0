import type { IncomingMessage } from 'node:http'
import type { PreparedResponse } from '../../kernel/prepared-response.ts'
import type { Engine, EngineOptions } from './engine/engine.ts'
import { createResponse } from './response.ts'
import { renderFile } from './rest/file.ts'
import { type Records, readRecords } from './world/folder.ts'
import { applyOwnCorrections } from './world/overlay.ts'

/** Headers that graphql-yoga reads; other headers have no effect on the response. */
const HEADERS = ['accept', 'content-type'] as const

export interface GraphqlService {
  execute: (
    request: IncomingMessage,
    query: string,
    body: Buffer<ArrayBuffer> | undefined
  ) => Promise<ExecutedQuery>
  file: (path: string) => Promise<PreparedResponse>
}

interface ExecutedQuery {
  response: PreparedResponse
  /** The response is valid at this moment only and must not be cached. */
  momentary: boolean
}

/** Loads the engine at the first request, so that it does not delay the start. */
export function createGraphqlService(
  options: EngineOptions,
  overlay: string | undefined,
  now: () => Date
): GraphqlService {
  // Corrections of the operator are read at the start, so that an error in them is reported then.
  const corrected = overlay === undefined ? undefined : applyOwnCorrections(readRecords(), overlay)
  let engine: Promise<Engine> | undefined

  async function open(records: Records): Promise<Engine> {
    const { createEngine } = await import('./engine/engine.ts')
    return createEngine(records, options)
  }

  function load(): Promise<Engine> {
    engine ??= open(corrected ?? readRecords())
    return engine
  }

  return {
    async execute(request, query, body) {
      const { run, world } = await load()
      const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET')
      const headers = pickHeaders(request)
      const {
        status,
        type,
        allow,
        body: text,
        momentary
      } = await run({ method, query, headers, body }, now())
      const response = createResponse({
        status,
        body: text,
        keep: !momentary && method === 'GET' && status === 200 && !/[,{]"errors":/.test(text),
        steady: !momentary && status === 200,
        headers: {
          ...(type === undefined ? {} : { 'content-type': type }),
          ...(allow === undefined ? {} : { allow }),
          'x-data-version': world.meta.dataVersion
        }
      })
      return { response, momentary }
    },
    async file(path) {
      return renderFile((await load()).world, path)
    }
  }
}

function pickHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    HEADERS.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    })
  )
}
