import { InvalidWebhookCall } from '../admin/errors.ts'
import { isObject, type Json } from '../document/json.ts'
import { isSendable, toHeaderText } from '../response/header-values.ts'

/** Options of a webhook to send. */
export interface WebhookCall {
  /** URL of the receiver. */
  url: string
  /** Body to send instead of an example or a generated body. */
  body: Json | undefined
  example: string | undefined
  /** Names are in lower case; these headers override those of the document. */
  headers: Record<string, string>
  /** Required if the webhook has several methods. */
  method: string | undefined
  /** Required if several documents define the webhook. */
  document: string | undefined
  /** If false, a request that violates the document is sent nevertheless. */
  validate: boolean
}

/** Values of the field `choice` of a form: an example, or a body of one's own. */
export const EXAMPLE_CHOICE = 'example:'
export const OWN_CHOICE = 'own'

const MEMBERS = ['url', 'body', 'example', 'headers', 'method', 'document', 'validate']

export function readCall(given: unknown): WebhookCall {
  if (!isObject(given)) throw new InvalidWebhookCall('The body must be a JSON object with url')
  const [first = ''] = Object.keys(given)
  if (first.startsWith('{')) {
    throw new InvalidWebhookCall('JSON requires the header Content-Type: application/json')
  }
  const unknown = Object.keys(given).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined) {
    throw new InvalidWebhookCall(`Unknown member ${unknown}; known members: ${MEMBERS.join(', ')}`)
  }
  return {
    url: readUrl(given.url),
    body: given.body,
    example: readText(given, 'example'),
    headers: readHeaders(given.headers),
    method: readText(given, 'method')?.toUpperCase(),
    document: readText(given, 'document'),
    validate: readSwitch(given.validate)
  }
}

/** Parses the fields of a form, where all values are strings and empty ones are ignored. */
export function readForm(fields: unknown): WebhookCall {
  const text = (name: string) => {
    const value: unknown = isObject(fields) ? fields[name] : undefined
    return typeof value === 'string' && value.trim() !== '' ? value : undefined
  }
  const choice = text('choice')
  const isExample = choice?.startsWith(EXAMPLE_CHOICE) === true
  return readCall({
    ...present('url', text('url')?.trim()),
    ...present('example', isExample ? choice?.slice(EXAMPLE_CHOICE.length) : undefined),
    ...present('method', text('method')),
    ...present('document', text('document')),
    ...present('body', choice === OWN_CHOICE ? readOwn(text('body')) : undefined),
    validate: text('unchecked') === undefined
  })
}

function present(name: string, value: Json | undefined): Record<string, Json> {
  return value === undefined ? {} : { [name]: value }
}

function readOwn(text: string | undefined): Json {
  if (text === undefined) throw new InvalidWebhookCall('The body of the webhook is empty')
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidWebhookCall('The body of the webhook is not JSON')
  }
}

function readUrl(url: unknown): string {
  if (typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url)) return url
  throw new InvalidWebhookCall('url must be the http or https URL of the receiver')
}

function readText(given: Record<string, unknown>, name: string): string | undefined {
  const value = given[name]
  if (value === undefined || typeof value === 'string') return value
  throw new InvalidWebhookCall(`${name} must be a string`)
}

function readSwitch(value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? true
  throw new InvalidWebhookCall('validate must be true or false')
}

function readHeaders(given: unknown): Record<string, string> {
  if (given === undefined) return {}
  if (!isObject(given)) throw new InvalidWebhookCall('headers must be an object of strings')
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => {
      const name = key.toLowerCase()
      const isFree = name === 'content-type' || (name !== 'host' && isSendable(name))
      if (!isFree || typeof value !== 'string') {
        throw new InvalidWebhookCall(`The header ${key} cannot be set, or is not a string`)
      }
      return [name, toHeaderText(value)]
    })
  )
}
