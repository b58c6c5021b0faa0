import type { Transaction } from '../../../kernel/database/transaction.ts'
import type { CoverChange } from '../records/card-cover.ts'
import type { StoredUpload } from '../records/stored-upload.ts'
import { addAttachment, checkAttachmentCount } from './attachments.ts'
import { addCardAction } from './card-actions.ts'
import { afterCardChange } from './card-change.ts'
import { addLabels } from './card-labels.ts'
import { requireMembers } from './card-members.ts'
import type { CardColumns } from './change-card.ts'
import { type CopiedPart, copyParts, sourceColumns } from './copy-card.ts'
import type { Editor } from './editor.ts'
import { findCard, findList } from './find.ts'
import { insertCard } from './insert-card.ts'
import { positionFor, type WantedPosition } from './positions.ts'
import type { CardRow } from './rows.ts'

export interface NewCardRequest {
  readonly list: string
  /** If it is undefined, the name of the source, or an empty one. */
  readonly name: string | undefined
  readonly columns: CardColumns
  readonly pos: WantedPosition | undefined
  readonly labels: readonly string[]
  readonly members: readonly string[]
  readonly cover: CoverChange | undefined
  readonly attachment: NewCardFile | undefined
  readonly source: { readonly card: string; readonly parts: ReadonlySet<CopiedPart> } | undefined
}

export interface NewCardFile {
  readonly name: string
  readonly mediaType: string
  readonly content: { readonly url: string } | StoredUpload
}

/** At the bottom of its list, unless the position is given. */
export function* addCard(request: NewCardRequest, editor: Editor): Transaction<CardRow> {
  const card = yield* addCardRows(request, editor)
  yield* afterCardChange(card.id, editor.time, { wasPublic: false })
  return card
}

/** The rows and the action; the caller ends the change with `afterCardChange`. */
export function* addCardRows(request: NewCardRequest, editor: Editor): Transaction<CardRow> {
  const { viewer, time, nextId, nextSortKey, maxCards } = editor
  const list = yield* findList(viewer, request.list)
  const source =
    request.source === undefined ? undefined : yield* findCard(viewer, request.source.card)
  requireMembers(request.members, viewer.member)
  const copied = source === undefined ? {} : sourceColumns(source, request.source?.parts)
  const { color, size, brightness } = request.cover ?? {}
  const card = yield* insertCard(
    {
      ...copied,
      ...request.columns,
      ...(typeof color === 'string' && { cover_color: color, cover_is_manual: 1 }),
      ...(size !== undefined && { cover_size: size }),
      ...(brightness !== undefined && { cover_brightness: brightness }),
      ...(request.members.length > 0 && { members: JSON.stringify(request.members) }),
      id: nextId(),
      board: list.board,
      list: list.id,
      sort_key: nextSortKey(),
      name: request.name ?? source?.name ?? '',
      pos: yield* positionFor({ table: 'cards', parent: list.id }, request.pos),
      creator: viewer.member
    },
    time,
    maxCards
  )
  yield* addLabels(card, request.labels)
  if (source !== undefined && request.source !== undefined) {
    yield* copyParts(source, card, request.source.parts, editor)
  }
  if (request.attachment !== undefined) yield* attach(card, request.attachment, editor)
  const type = source === undefined ? 'createCard' : 'copyCard'
  const data = source === undefined ? {} : { cardSource: { id: source.id, name: source.name } }
  yield* addCardAction(card, type, data, editor)
  return card
}

function* attach(card: CardRow, file: NewCardFile, editor: Editor): Transaction<void> {
  const pos = yield* positionFor({ table: 'attachments', parent: card.id }, 'bottom')
  const { viewer, time, nextId, maxAttachments } = editor
  yield* checkAttachmentCount(card.id, maxAttachments)
  const current = yield* findCard(viewer, card.id)
  yield* addAttachment(current, { ...file, id: nextId(), member: viewer.member, pos, time })
}
