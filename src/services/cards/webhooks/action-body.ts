import { cutText } from '../../../kernel/cut-text.ts'
import { MAX_BODY_BYTES } from './enqueue.ts'

type Fields = Readonly<Record<string, unknown>>

export interface ActionEvent {
  model: Fields
  action: Fields
  webhook: Fields
}

/** Lengths that texts are cut to until the body is small enough. */
const TEXT_LENGTHS = [4_000, 500]

/**
 * The body of a delivery in the format of Trello. If it is too large, it has `truncated` and long
 * texts are cut; with many labels or members only the ids of model and action are left.
 */
export function actionBody(event: ActionEvent): string {
  const whole = JSON.stringify(event)
  if (isSmall(whole)) return whole
  for (const length of TEXT_LENGTHS) {
    const { model, action, webhook } = event
    const cut = JSON.stringify({
      model: withShortTexts(model, length),
      action: withShortTexts(action, length),
      webhook,
      truncated: true
    })
    if (isSmall(cut)) return cut
  }
  const { id, type, date, idMemberCreator } = event.action
  const action = { id, type, date, idMemberCreator }
  const { webhook } = event
  return JSON.stringify({ model: { id: event.model.id }, action, webhook, truncated: true })
}

function withShortTexts(object: Fields, length: number): unknown {
  const text = JSON.stringify(object, (_, value: unknown) =>
    typeof value === 'string' ? cutText(value, length) : value
  )
  return JSON.parse(text)
}

function isSmall(body: string): boolean {
  return Buffer.byteLength(body) <= MAX_BODY_BYTES
}
