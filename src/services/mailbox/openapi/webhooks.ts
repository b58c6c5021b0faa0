import { inHeader, type OpenapiPart, ref, requestBody, response } from '../../../kernel/openapi.ts'
import { COUNT } from './schema-parts.ts'

/** Requests that the service sends, for `webhooks` of OpenAPI 3.1. */
export const WEBHOOKS: OpenapiPart = {
  event: {
    post: {
      operationId: 'receiveEvent',
      summary: 'An event, sent to the URL of its account or of the settings',
      parameters: [
        inHeader('webhook-id', 'Id of the event: the same in each attempt and in each replay'),
        inHeader('webhook-timestamp', 'Time of this attempt, in Unix seconds', COUNT),
        inHeader(
          'webhook-signature',
          '`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`'
        ),
        inHeader('X-EE-Wh-Id', 'Id of the delivery'),
        inHeader('X-EE-Wh-Event-Id', 'Id of the event'),
        inHeader('X-EE-Wh-Attempts-Made', 'Earlier attempts of this delivery', COUNT),
        inHeader('X-EE-Wh-Queued-Time', 'How long it waited, such as `5s`'),
        inHeader('X-EE-Wh-Signature', 'Base64url of HMAC-SHA256 over the bytes of the body')
      ],
      requestBody: requestBody(ref('WebhookBody')),
      responses: {
        '2XX': response('The event was received'),
        '3XX': response('Not followed; the delivery has failed'),
        default: response('The delivery is tried again, 10 times in all')
      }
    }
  }
}
