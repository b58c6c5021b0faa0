/** Parts of JSON Schemas; also of the OpenAPI document. */

/** A field of EmailEngine that is rejected with this sentence. It is not in the OpenAPI document. */
export function notOffered(sentence: string): { readonly notOffered: string } {
  return { notOffered: sentence }
}

export function text(maxLength: number, more: object = {}): object {
  return { type: 'string', maxLength, ...more }
}

/** Control characters could end a command of a mail protocol; PostgreSQL cannot store NUL. */
const LINE = '^[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]*$'

/** What is shown instead of a stored password or token. */
export const MASK = '******'
/** Clients send back what they have read. */
export const MASK_MESSAGE =
  'is the mask of a stored value; send the value itself, or leave the field out'

/** `messages` has sentences for keywords whose errors of Ajv say little. */
export function line(maxLength: number, more: object = {}): object {
  const messages = { pattern: 'must have no control characters' }
  return { type: 'string', maxLength, pattern: LINE, messages, ...more }
}

/** A password or a token. Its mask is rejected. */
export function secret(maxLength: number): object {
  return {
    ...line(maxLength, { minLength: 1 }),
    not: { const: MASK },
    messages: {
      pattern: 'must have no control characters',
      not: MASK_MESSAGE
    }
  }
}

/** A boolean of EmailEngine of which only false is offered. */
export function onlyFalse(sentence: string): object {
  return { type: 'boolean', not: { const: true }, messages: { not: sentence } }
}

/** An object that `false` removes. */
export function orFalse(schema: ReturnType<typeof object>): object {
  const messages = { not: 'must be an object or false', type: 'must be an object or false' }
  return { ...schema, type: ['object', 'boolean'], not: { const: true }, messages }
}

/** One value or an array of them; the checked value is an array. */
export function oneOrMore(items: object, more: object = {}): object {
  return { type: 'array', items, ...more }
}

export function object(
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = []
) {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** Of webhooks; `webhooks/custom-headers.ts` checks names and values. */
export const CUSTOM_HEADERS = {
  type: 'array',
  items: object({ key: text(256, { minLength: 1 }), value: text(8192, { default: '' }) }, ['key']),
  maxItems: 50
}

export const BOOLEAN = { type: 'boolean' }
/** `api/date-time.ts` checks it; a day alone is one too. */
export const DATE_TIME = { type: 'string', format: 'date-time' }

/** Of lists with pages. */
export const PAGES = {
  page: { type: 'integer', minimum: 0, maximum: 1_048_576, default: 0 },
  pageSize: { type: 'integer', minimum: 1, maximum: 1000, default: 20 }
} as const

export interface PageQuery {
  readonly page: number
  readonly pageSize: number
}
