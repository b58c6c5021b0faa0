import { readAtMost } from '../byte-limit.ts'
import { DEFAULT_MAX_BYTES } from '../config.ts'
import { exceptionResponse, type FormResponse } from '../contract.ts'
import { type FormConfig, forward } from '../forward.ts'
import { environmentConfig } from './environment.ts'

/** Handler for Workers, Deno, Bun, Netlify 2 and Vercel. */
export function createFetchHandler(config: FormConfig): (request: Request) => Promise<Response> {
  return async function forwardForm(request) {
    // Reading an aborted body rejects before `forward` is called.
    const response = await forwardRequest(request, config).catch(exceptionResponse)
    const { status, headers, body } = response
    return new Response(body === '' ? null : body, { status, headers })
  }
}

async function forwardRequest(request: Request, config: FormConfig): Promise<FormResponse> {
  const input = {
    rawBody: await readAtMost(request.body, config.maxBytes ?? DEFAULT_MAX_BYTES),
    method: request.method,
    contentType: request.headers.get('content-type'),
    origin: request.headers.get('origin'),
    requestMethod: request.headers.get('access-control-request-method')
  }
  return forward(input, config)
}

/** Reads FORMS_WEBHOOK from the runtime's `env` argument or from the process. */
export default {
  fetch: (request: Request, env?: Readonly<Record<string, unknown>>): Promise<Response> =>
    createFetchHandler(environmentConfig(env))(request)
}
