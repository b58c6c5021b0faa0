import { ValueInvalid } from '../contract.ts'
import type { Input } from '../http/input.ts'
import { PUBLICATION_EVENTS } from '../records/publication-event.ts'
import { callbackValue } from '../webhooks/check-callback.ts'
import { booleanValue, idValue, namesOf, textValue } from './values.ts'

type Sent = Pick<Input, 'values'>

const MAX_DESCRIPTION = 1_024

/** Only what is sent. */
export interface WebhookInput {
  readonly idModel: string | undefined
  readonly callbackUrl: string | undefined
  readonly description: string | undefined
  readonly active: boolean | undefined
  readonly events: readonly string[] | undefined
}

export function readWebhookInput(input: Sent): WebhookInput {
  const hasUrl = (input.values.get('callbackURL') ?? undefined) !== undefined
  return {
    idModel: idValue(input, 'idModel', { links: true }) ?? undefined,
    callbackUrl: hasUrl ? callbackValue(textValue(input, 'callbackURL')) : undefined,
    description: textValue(input, 'description', { max: MAX_DESCRIPTION }),
    active: booleanValue(input, 'active'),
    events: eventsValue(input)
  }
}

/** Of publication, each once; Trello's webhooks have none. */
function eventsValue({ values }: Sent): string[] | undefined {
  const value = values.get('events') ?? undefined
  if (value === undefined) return undefined
  const names = namesOf(value) ?? []
  const events: string[] = PUBLICATION_EVENTS.filter((event) => names.includes(event))
  if (events.length === 0 || !names.every((name) => events.includes(name))) {
    throw new ValueInvalid('events')
  }
  return events
}
