import { type FormConfig, forward } from '../forward.ts'
import { environmentConfig } from './environment.ts'

/** The part of an Express request that is used; `rawBody` is added by functions-framework. */
export interface GcfRequest {
  rawBody?: Uint8Array
  method?: string
  headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface GcfResponse {
  writeHead: (status: number, headers: Record<string, string>) => { end: (body: string) => void }
}

type GcfFunction = (request: GcfRequest, response: GcfResponse) => Promise<void>

/** Handler for Google's functions-framework. */
export function createFunction(config: FormConfig): GcfFunction {
  return async function forwardForm({ rawBody, method, headers }, response) {
    const prepared = await forward(
      {
        rawBody,
        method,
        contentType: headers['content-type']?.toString(),
        origin: headers.origin?.toString(),
        requestMethod: headers['access-control-request-method']?.toString()
      },
      config
    )
    response.writeHead(prepared.status, { ...prepared.headers }).end(prepared.body)
  }
}

/** Reads FORMS_WEBHOOK from the environment. */
export const forms: GcfFunction = (request, response) =>
  createFunction(environmentConfig())(request, response)
