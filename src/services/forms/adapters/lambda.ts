import { type FormConfig, forward } from '../forward.ts'
import { environmentConfig } from './environment.ts'

/** Common fields of the events of API Gateway 1.0, HTTP API 2.0, Function URLs and Netlify 1. */
export interface LambdaEvent {
  body?: string | null
  isBase64Encoded?: boolean
  headers?: Readonly<Record<string, string | undefined>> | null
  httpMethod?: string
  requestContext?: { http?: { method?: string } }
}

export interface LambdaAnswer {
  statusCode: number
  headers: Record<string, string>
  body: string
}

export function createHandler(config: FormConfig): (event: LambdaEvent) => Promise<LambdaAnswer> {
  return async function forwardForm(event) {
    const headers = new Map(
      Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
    )
    const response = await forward(
      {
        rawBody: event.body,
        isBase64: event.isBase64Encoded,
        method: event.httpMethod ?? event.requestContext?.http?.method,
        contentType: headers.get('content-type'),
        origin: headers.get('origin'),
        requestMethod: headers.get('access-control-request-method')
      },
      config
    )
    return { statusCode: response.status, headers: { ...response.headers }, body: response.body }
  }
}

/** Reads FORMS_WEBHOOK from the environment. */
export const handler = (event: LambdaEvent): Promise<LambdaAnswer> =>
  createHandler(environmentConfig())(event)
