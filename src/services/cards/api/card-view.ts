import type { Input } from '../http/input.ts'
import { JsonSequence } from '../http/write-json.ts'
import { presentAttachment } from '../present/attachment.ts'
import { presentCard } from '../present/card.ts'
import { presentChecklist } from '../present/checklist.ts'
import { presentItem } from '../present/item.ts'
import { MEMBER_SUMMARY, presentMember } from '../present/member.ts'
import type { CardParts } from '../records/card-parts.ts'
import { seesPublishedOnly, type Viewer } from '../records/viewer.ts'
import type { CardInclude } from '../store/read-cards.ts'
import type { MemberRow } from '../store/rows.ts'
import { isWanted } from './requests.ts'
import { namesOf, selectFields } from './values.ts'

/** What a client wants of each card. */
export interface CardView {
  readonly fields: unknown
  readonly attachments: 'all' | 'cover' | undefined
  readonly attachmentFields: unknown
  readonly items: boolean
  readonly members: boolean
  readonly memberFields: unknown
  readonly checklists: boolean
  readonly checklistFields: unknown
  /** Names of parts that cards do not have here; each is an empty array. */
  readonly empty: readonly string[]
}

/** Trello's clients may ask for them. */
const EMPTY_PARTS = ['stickers', 'pluginData', 'membersVoted']

/** `card_` before the names in a request for a board. */
export function readCardView({ values }: Pick<Input, 'values'>, prefix: '' | 'card_'): CardView {
  const value = (name: string) => values.get(`${prefix}${name}`)
  const attachments = value('attachments')
  return {
    fields: value('fields'),
    attachments: attachments === 'cover' ? 'cover' : isWanted(attachments) ? 'all' : undefined,
    attachmentFields: value('attachment_fields'),
    items: isWanted(value('customFieldItems')),
    members: isWanted(value('members')),
    memberFields: value('member_fields'),
    checklists: isWanted(value('checklists')),
    checklistFields: value('checklist_fields'),
    empty: EMPTY_PARTS.filter((name) => isWanted(value(name)))
  }
}

/** What must be read for the fields and parts. */
export function includeOf(view: CardView): CardInclude {
  const names = view.fields === undefined ? undefined : namesOf(view.fields)
  const needs = (...fields: string[]) =>
    names === undefined || names.includes('all') || fields.some((field) => names.includes(field))
  return {
    labels: needs('labels', 'idLabels'),
    items: view.items,
    attachments: view.attachments !== undefined || needs('badges', 'cover'),
    checklists: view.checklists,
    counts: needs('badges', 'idChecklists', 'dateLastActivity')
  }
}

export interface CardReader {
  readonly baseUrl: string
  readonly viewer: Viewer
  /** The member of the board, if members are wanted. */
  readonly member?: MemberRow | undefined
}

/** With their previews, a thousand cards take a second to present, so this is done in turns. */
export function presentCards(
  cards: readonly CardParts[],
  view: CardView,
  reader: CardReader
): JsonSequence {
  return new JsonSequence(cards.length, (index) => {
    const parts = cards[index]
    return parts && presentCardView(parts, view, reader)
  })
}

export function presentCardView(
  parts: CardParts,
  view: CardView,
  { baseUrl, viewer, member }: CardReader
): Record<string, unknown> {
  const files = { baseUrl, isPublished: seesPublishedOnly(viewer) }
  const { card } = parts
  const shown = parts.attachments.filter(
    ({ id }) => view.attachments === 'all' || id === card.cover_attachment
  )
  const isOn = member !== undefined && card.members.includes(member.id)
  return {
    ...selectFields(presentCard(parts, files), view.fields),
    ...(view.attachments !== undefined && {
      attachments: shown.map((row) =>
        selectFields(presentAttachment(row, files), view.attachmentFields)
      )
    }),
    ...(view.items && { customFieldItems: parts.items.map(presentItem) }),
    ...(view.members && {
      members: isOn
        ? [selectFields(presentMember(member, baseUrl), view.memberFields, MEMBER_SUMMARY)]
        : []
    }),
    ...(view.checklists && {
      checklists: parts.checklists.map((one) =>
        selectFields(presentChecklist(one), view.checklistFields)
      )
    }),
    ...Object.fromEntries(view.empty.map((name) => [name, []]))
  }
}
