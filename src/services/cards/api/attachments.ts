import type { ApiHandler, ApiRequest, CardContext } from '../context.ts'
import { presentAttachment } from '../present/attachment.ts'
import type { StoredUpload } from '../records/stored-upload.ts'
import { checkAttachmentCount, readAttachments } from '../store/attachments.ts'
import {
  addCardFile,
  changeCardFile,
  type FileChange,
  findCardFile,
  removeCardFile
} from '../store/change-card-files.ts'
import { findCard } from '../store/find.ts'
import { downloadHandlers } from './downloads.ts'
import { type AttachmentInput, readAttachmentEdit, readAttachmentInput } from './read-attachment.ts'
import { memberOf, param, sent, viewOf } from './requests.ts'
import { selectFields } from './values.ts'

const cardAttachments: ApiHandler = async ({ store }, request) => {
  const [card, rows] = await store.read(function* () {
    const found = yield* findCard(request.viewer, param(request, 'card'))
    return [found, yield* readAttachments(found.id)] as const
  })
  const isCover = sent(request, 'filter') === 'cover'
  const shown = isCover ? rows.filter(({ id }) => id === card.cover_attachment) : rows
  const fields = sent(request, 'fields')
  return { body: shown.map((row) => selectFields(presentAttachment(row, viewOf(request)), fields)) }
}

const cardAttachment: ApiHandler = async ({ store }, request) => {
  const { viewer } = request
  const [card, id] = [param(request, 'card'), param(request, 'attachment')]
  const { row } = await store.read(() => findCardFile({ viewer, card, id }))
  return { body: selectFields(presentAttachment(row, viewOf(request)), sent(request, 'fields')) }
}

/** The file is stored before the transaction that refers to it. */
const addAttachment: ApiHandler = async (context, request) => {
  const { viewer, input } = request
  const { maxAttachments } = context.options
  const wanted = readAttachmentInput(input)
  // Nothing is stored for a card that cannot take it; the transaction looks again.
  await context.store.read(function* () {
    const { id } = yield* findCard(viewer, param(request, 'card'))
    yield* checkAttachmentCount(id, maxAttachments)
  })
  const content = await contentOf(context, request, wanted)
  const { name, mediaType, pos, alt, setCover } = wanted
  const file = { name, mediaType, content, pos, alt, setCover, maxAttachments }
  const change = { ...changeOf(context, request), id: context.nextId() }
  const row = await context.store.change((time) => addCardFile({ ...change, time }, file))
  return { body: { ...presentAttachment(row, viewOf(request)), limits: {} } }
}

async function contentOf(
  context: CardContext,
  { raw }: ApiRequest,
  { source }: AttachmentInput
): Promise<StoredUpload | { url: string }> {
  if ('url' in source && !source.copy) return { url: source.url }
  if ('url' in source) {
    const { copyLink } = await import('../files/copy-link.ts')
    return copyLink(context, source.url, raw)
  }
  const { storeUpload } = await import('../files/store-upload.ts')
  return storeUpload(context, source.file)
}

const changeAttachment: ApiHandler = async (context, request) => {
  const edit = readAttachmentEdit(request.input)
  const change = changeOf(context, request)
  const row = await context.store.change((time) => changeCardFile({ ...change, time }, edit))
  return { body: presentAttachment(row, viewOf(request)) }
}

const removeAttachment: ApiHandler = async (context, request) => {
  const change = changeOf(context, request)
  const frees = { frees: true }
  await context.store.change((time) => removeCardFile({ ...change, time }), frees)
  return { body: { limits: {} } }
}

function changeOf(
  { nextId }: Pick<CardContext, 'nextId'>,
  request: ApiRequest
): Omit<FileChange, 'time'> {
  return {
    viewer: request.viewer,
    member: memberOf(request).member,
    card: param(request, 'card'),
    id: param(request, 'attachment'),
    actionId: nextId()
  }
}

export const attachmentHandlers = {
  cardAttachments,
  cardAttachment,
  addAttachment,
  changeAttachment,
  removeAttachment,
  ...downloadHandlers
} as const satisfies Record<string, ApiHandler>
