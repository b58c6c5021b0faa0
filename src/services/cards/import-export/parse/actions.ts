import { COMMENT } from '../../records/comment.ts'
import { createdAt } from '../../records/ids.ts'
import type { ImportedAction } from '../imported.ts'
import { MAX_ACTION_BYTES, TEXT_LIMITS } from '../limits.ts'
import type { ParseContext } from './context.ts'
import { parseObjects, type Rejected } from './objects.ts'
import { idOf, isObject, type JsonObject, objectOf, textOf, timeOf, webUrlOf } from './values.ts'

const TYPE = /^[A-Za-z]{1,64}$/

export interface ActionChoice {
  /** Ids of cards and lists that are imported, by their new ids. */
  readonly cards: ReadonlySet<string>
  readonly lists: ReadonlySet<string>
  /** Whether all actions are imported, not only comments. */
  readonly all: boolean
}

/** From the oldest to the newest, which is the first one of the file. */
export function parseActions(
  value: unknown,
  choice: ActionChoice,
  context: ParseContext
): ImportedAction[] {
  const wanted = Array.isArray(value)
    ? value.filter((one) => choice.all || objectOf(one).type === COMMENT)
    : []
  const what = choice.all ? 'actions' : 'comments'
  const parse = (object: JsonObject, id: string) => parseAction(object, id, choice, context)
  return [...parseObjects<ImportedAction>(wanted, { what, parse }, context)].reverse()
}

function parseAction(
  { type, data, date }: JsonObject,
  id: string,
  { cards, lists, all }: ActionChoice,
  context: ParseContext
): ImportedAction | Rejected {
  if (typeof type !== 'string' || !TYPE.test(type)) return { rejected: 'without a type' }
  const content = objectOf(data)
  const card = newIdOf(content.card, context)
  const list = newIdOf(content.list, context)
  const shared = { id, type, createdAt: timeOf(date) ?? createdAt(id) }
  if (type === COMMENT) {
    if (card === undefined || !cards.has(card))
      return { rejected: 'of a card that the file has not' }
    const rules = { what: 'comments', max: TEXT_LIMITS.description, id }
    const text = textOf(content.text, rules, context)
    if (text === undefined) return { rejected: 'without a text' }
    if (!all) {
      const reference = { ...objectOf(content.card), id: card }
      return { ...shared, card, data: JSON.stringify({ text, card: reference }) }
    }
  }
  if (hasUnsafeUrl(content)) return { rejected: 'with a URL that is neither http nor https' }
  const json = JSON.stringify(withNewIds(content, context))
  if (Buffer.byteLength(json) > MAX_ACTION_BYTES) return { rejected: 'that are too large' }
  return {
    ...shared,
    ...(card !== undefined && cards.has(card) && { card }),
    ...(list !== undefined && lists.has(list) && { list }),
    data: json
  }
}

function newIdOf(value: unknown, { idFor }: ParseContext): string | undefined {
  const id = idOf(objectOf(value).id)
  return id === undefined ? undefined : idFor(id)
}

/** Files have at most `MAX_EXPORT_DEPTH` levels. */
function hasUnsafeUrl(value: unknown, key = ''): boolean {
  if (typeof value === 'string') {
    return (
      /url$/i.test(key) && value !== '' && !value.startsWith('/') && webUrlOf(value) === undefined
    )
  }
  if (Array.isArray(value)) return value.some((one) => hasUnsafeUrl(one, key))
  return isObject(value) && Object.entries(value).some(([name, one]) => hasUnsafeUrl(one, name))
}

/** All strings as they can be stored, and all ids as the objects get them. */
function withNewIds(value: unknown, context: ParseContext): unknown {
  if (typeof value === 'string') {
    return idOf(value) === undefined
      ? value.toWellFormed().replaceAll('\0', '\ufffd')
      : context.idFor(value.toLowerCase())
  }
  if (Array.isArray(value)) return value.map((one) => withNewIds(one, context))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withNewIds(one, context)])
  )
}
