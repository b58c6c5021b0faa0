import type { ApiHandler } from '../context.ts'
import { ObjectUnknown, ValueInvalid } from '../contract.ts'
import { presentLabel } from '../present/label.ts'
import { MEMBER_SUMMARY, presentMember } from '../present/member.ts'
import { LABEL_COLORS } from '../records/label-colors.ts'
import { changeCard } from '../store/change-card.ts'
import { findCard, requireId } from '../store/find.ts'
import { addNewLabel, labelCard, unlabelCard } from '../store/label-card.ts'
import { requireMember } from '../store/members.ts'
import type { CardRow } from '../store/rows.ts'
import { editorOf } from './editor.ts'
import { memberOf, param, sent } from './requests.ts'
import { choiceValue, idListValue, requiredId, selectFields, textValue } from './values.ts'

const MAX_LABEL_NAME = 1024

const addCardLabel: ApiHandler = async (context, request) => {
  const labels = idListValue(request.input, 'value') ?? []
  if (labels.length === 0) throw new ValueInvalid('value')
  const ids = await context.store.change((time) =>
    labelCard(param(request, 'card'), labels, editorOf(context, request, time))
  )
  return { body: ids }
}

const addNewCardLabel: ApiHandler = async (context, request) => {
  const { input } = request
  const name = textValue(input, 'name', { max: MAX_LABEL_NAME }) ?? ''
  const sentColor = sent(request, 'color')
  const isNone = sentColor === null || sentColor === '' || sentColor === 'null'
  const color = isNone ? null : choiceValue(input, 'color', LABEL_COLORS)
  if (color === undefined) throw new ValueInvalid('color')
  const label = await context.store.change((time) =>
    addNewLabel(param(request, 'card'), { name, color }, editorOf(context, request, time))
  )
  return { body: presentLabel(label) }
}

const removeCardLabel: ApiHandler = async (context, request) => {
  await context.store.change((time) =>
    unlabelCard(param(request, 'card'), param(request, 'label'), editorOf(context, request, time))
  )
  return { body: { _value: null } }
}

const cardMembers: ApiHandler = async (context, request) => {
  const card = await context.store.read(() => findCard(request.viewer, param(request, 'card')))
  return { body: await membersOf(context, request, card) }
}

const addCardMember: ApiHandler = async (context, request) => {
  const members = [requiredId(request.input, 'value')]
  const edit = { columns: {}, members }
  const card = await context.store.change((time) =>
    changeCard(param(request, 'card'), edit, editorOf(context, request, time))
  )
  return { body: await membersOf(context, request, card) }
}

/** The only member is that of the token; others are unknown. */
const removeCardMember: ApiHandler = async (context, request) => {
  const id = requireId(param(request, 'member'))
  const card = await context.store.change(function* (time) {
    const found = yield* findCard(request.viewer, param(request, 'card'))
    if (!found.members.includes(id)) throw new ObjectUnknown()
    return yield* changeCard(
      found.id,
      { columns: {}, members: [] },
      editorOf(context, request, time)
    )
  })
  return { body: await membersOf(context, request, card) }
}

async function membersOf(
  { store }: Parameters<ApiHandler>[0],
  request: Parameters<ApiHandler>[1],
  card: CardRow
): Promise<object[]> {
  const { member: id } = memberOf(request)
  if (!card.members.includes(id)) return []
  const member = await store.read(() => requireMember(id))
  const object = presentMember(member, request.baseUrl)
  return [selectFields(object, sent(request, 'fields'), MEMBER_SUMMARY)]
}

export const cardLabelHandlers = {
  addCardLabel,
  addNewCardLabel,
  removeCardLabel,
  cardMembers,
  addCardMember,
  removeCardMember
} as const satisfies Record<string, ApiHandler>
