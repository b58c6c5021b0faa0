import { invalidLocale, invalidTimeZone } from '../accounts/check-locale.ts'
import type { SubmitInput } from '../api/schemas/submit.ts'
import type { InvalidField } from '../contract.ts'
import { invalidHeaders } from './check-headers.ts'

/** Fields of the body of a message, which `raw` has already. */
const BODY_FIELDS = ['text', 'html', 'previewText', 'attachments'] as const
const RECIPIENT_FIELDS = ['to', 'cc', 'bcc'] as const
/** A message cannot wait for longer. */
const MAX_DELAY_MS = 366 * 24 * 60 * 60_000

/** What is wrong with fields that are valid one by one. */
export function invalidCombinations(input: SubmitInput, time: number): InvalidField[] {
  return [
    ...invalidHeaders(input.headers ?? {}),
    ...invalidRaw(input),
    ...invalidMerge(input, time),
    ...invalidTime('sendAt', input.sendAt, time),
    ...invalidNotification(input),
    ...invalidLocale('locale', input.locale),
    ...invalidTimeZone('tz', input.tz),
    ...(input.attachments ?? []).flatMap(({ content, reference }, index) =>
      (content === undefined) === (reference === undefined)
        ? [{ key: `attachments.${index}`, message: 'must have either content or reference' }]
        : []
    )
  ]
}

function invalidRaw(input: SubmitInput): InvalidField[] {
  if (input.raw === undefined) return []
  return BODY_FIELDS.filter((field) => input[field] !== undefined).map((key) => ({
    key,
    message: 'cannot be combined with raw, which has the whole message'
  }))
}

function invalidMerge({ mailMerge, ...input }: SubmitInput, time: number): InvalidField[] {
  if (mailMerge === undefined) return []
  const fields = [...RECIPIENT_FIELDS, 'raw', 'envelope', 'messageId'] as const
  const combined = fields
    .filter((field) => input[field] !== undefined)
    .map((key) => ({ key, message: 'cannot be combined with mailMerge' }))
  return [
    ...combined,
    ...mailMerge.flatMap(({ sendAt }, index) =>
      invalidTime(`mailMerge.${index}.sendAt`, sendAt, time)
    )
  ]
}

/** A time that is over means at once. */
export function invalidTime(key: string, sendAt: string | undefined, time: number): InvalidField[] {
  if (sendAt === undefined || Date.parse(sendAt) <= time + MAX_DELAY_MS) return []
  return [{ key, message: 'must be within a year' }]
}

function invalidNotification({ dsn }: SubmitInput): InvalidField[] {
  const { notify = [] } = dsn ?? {}
  if (!notify.includes('never') || notify.length === 1) return []
  return [{ key: 'dsn.notify', message: 'cannot combine never with others' }]
}
