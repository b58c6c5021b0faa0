import { InvalidWebhookCall } from '../admin/errors.ts'
import { isObject, type Json } from '../document/json.ts'
import { isSendable, toHeaderText } from '../response/header-values.ts'

/** What somebody asks of a webhook. */
export interface WebhookCall {
  /** Where to send it. */
  url: string
  /** Instead of an example or a made one. */
  body: Json | undefined
  example: string | undefined
  /** Names in lower case; added to those of the document, and stronger. */
  headers: Record<string, string>
  /** Where a webhook has several. */
  method: string | undefined
  /** Where several documents have it. */
  document: string | undefined
  /** Without it a request that breaks the document is sent all the same. */
  validate: boolean
}

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

/** Of a form, where everything is text and an empty field means nothing. */
export function readForm(fields: unknown): WebhookCall {
  const text = (name: string) => {
    const value: unknown = isObject(fields) ? fields[name] : undefined
    return typeof value === 'string' && value.trim() !== '' ? value : undefined
  }
  return readCall({
    ...present('url', text('url')?.trim()),
    ...present('example', text('example')),
    ...present('method', text('method')),
    ...present('document', text('document')),
    ...present('body', parseJson(text('body'))),
    validate: text('unchecked') === undefined
  })
}

function present(name: string, value: Json | undefined): Record<string, Json> {
  return value === undefined ? {} : { [name]: value }
}

function parseJson(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined
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
