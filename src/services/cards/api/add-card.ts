import type { ApiHandler, ApiRequest, CardContext } from '../context.ts'
import { ValueInvalid } from '../contract.ts'
import { presentAttachment } from '../present/attachment.ts'
import { presentCard } from '../present/card.ts'
import type { StoredUpload } from '../records/stored-upload.ts'
import { webUrl } from '../records/web-url.ts'
import { addCard, type NewCardFile, type NewCardRequest } from '../store/add-card.ts'
import { findList } from '../store/find.ts'
import { readCard } from '../store/read-cards.ts'
import { editorOf } from './editor.ts'
import { readColumns, readCopiedParts, readCover } from './read-card.ts'
import { memberOf, viewOf } from './requests.ts'
import { idListValue, idValue, MAX_TEXT, posValue, requiredId, textValue } from './values.ts'

const MAX_FILE_NAME = 256

/** `idList` in the parameters, or the list in the path. */
const add: ApiHandler = async (context, request) => {
  const { input, params, viewer } = request
  const list = params.list ?? requiredId(input, 'idList')
  const source = idValue(input, 'idCardSource', { links: true })
  const wanted = {
    list,
    name: textValue(input, 'name'),
    columns: readColumns(input),
    pos: posValue(input),
    labels: idListValue(input, 'idLabels') ?? [],
    members: idListValue(input, 'idMembers') ?? [],
    cover: readCover(input),
    source: typeof source === 'string' ? { card: source, parts: readCopiedParts(input) } : undefined
  }
  if (typeof wanted.cover?.attachment === 'string') throw new ValueInvalid('cover')
  const link = linkOf(request)
  // No file is stored for a list that is not there; the transaction looks again.
  await context.store.read(() => findList(viewer, list))
  const attachment = link ?? (await uploadOf(context, request))
  const added: NewCardRequest = { ...wanted, attachment }
  const { id } = await context.store.change((time) =>
    addCard(added, editorOf(context, request, time))
  )
  return { body: await readNew(context, request, id) }
}

/** New cards are sent with their attachments. */
async function readNew(
  { store }: CardContext,
  request: ApiRequest,
  id: string
): Promise<Record<string, unknown>> {
  const parts = await store.read(() => readCard(memberOf(request), id))
  const view = viewOf(request)
  return {
    ...presentCard(parts, view),
    attachments: parts.attachments.map((row) => presentAttachment(row, view)),
    stickers: [],
    limits: {}
  }
}

function linkOf({ input }: ApiRequest): NewCardFile | undefined {
  const text = textValue(input, 'urlSource')
  if (text === undefined || text === '' || text === 'null') return undefined
  const url = webUrl(text)
  if (url === undefined || url.length > MAX_TEXT) throw new ValueInvalid('urlSource')
  return { name: url.slice(0, MAX_FILE_NAME), mediaType: '', content: { url } }
}

async function uploadOf(
  context: CardContext,
  { input }: ApiRequest
): Promise<NewCardFile | undefined> {
  const file = input.files.get('fileSource')
  if (file === undefined) return undefined
  const mediaType = textValue(input, 'mimeType', { max: MAX_FILE_NAME }) ?? ''
  const { storeUpload } = await import('../files/store-upload.ts')
  const content: StoredUpload = await storeUpload(context, file)
  return { name: content.fileName, mediaType, content }
}

export const addCardHandlers = { addCard: add, addListCard: add } as const satisfies Record<
  string,
  ApiHandler
>
