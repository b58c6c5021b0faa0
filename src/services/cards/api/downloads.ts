import { attachmentDisposition } from '../../../kernel/content-disposition.ts'
import type { ApiHandler, ApiRequest, CardContext } from '../context.ts'
import { DOWNLOAD_TYPE, FILE_CACHE, ObjectUnknown, PermissionMissing } from '../contract.ts'
import { targetOf } from '../files/rendition.ts'
import { FILE_HEADERS, prepareImage, sendFile } from '../files/send-image.ts'
import { isSigned } from '../files/signed-url.ts'
import { downloadPath, imageOf } from '../present/attachment.ts'
import { previewSizes } from '../present/preview-sizes.ts'
import { seesPublishedOnly } from '../records/viewer.ts'
import { readSignedFile } from '../store/attachments.ts'
import { findCardFile } from '../store/change-card-files.ts'
import { requireId } from '../store/find.ts'
import type { AttachmentRow } from '../store/rows.ts'

/** The file as it was uploaded, which may be anything: browsers store it and never show it. */
const downloadAttachment: ApiHandler = async (context, request) => {
  const { hash, bytes, file_name } = await findFile(context, request)
  if (hash === null) throw new ObjectUnknown()
  const send = sendFile(context, {
    hash,
    size: bytes ?? 0,
    mediaType: DOWNLOAD_TYPE,
    headers: {
      ...FILE_HEADERS,
      'cache-control': FILE_CACHE.withToken,
      'content-disposition': attachmentDisposition(file_name ?? 'attachment')
    }
  })
  return { send: (reply) => send(request.raw, reply) }
}

/** A signature counts without a token; publishable keys never allow it. */
async function findFile(context: CardContext, request: ApiRequest): Promise<AttachmentRow> {
  const { viewer, params, input } = request
  const { card = '', attachment = '', fileName = '' } = params
  if (viewer.kind === 'member') {
    const found = await context.store.read(() => findCardFile({ viewer, card, id: attachment }))
    return found.row
  }
  const path = downloadPath({ id: attachment, card, file_name: fileName })
  const expires = input.values.get('expires')
  const signature = input.values.get('signature')
  if (!(await isSigned(context, path, { expires, signature }))) throw new PermissionMissing()
  return context.store.read(() => readSignedFile(card, attachment))
}

/** Made of the public image, never of the file that was uploaded. */
const downloadPreview: ApiHandler = async (context, request) => {
  const { viewer, params, raw } = request
  const { card = '', attachment = '', preview = '' } = params
  const { row } = await context.store.read(() => findCardFile({ viewer, card, id: attachment }))
  const image = imageOf(row)
  const id = requireId(preview)
  const size = image && previewSizes(row.id, image).find((one) => one.id === id)
  if (image === undefined || size === undefined) throw new ObjectUnknown()
  const { target, scaled } = size
  const cache = seesPublishedOnly(viewer) ? FILE_CACHE.preview : FILE_CACHE.withToken
  const fit = scaled ? 'inside' : 'cover'
  const send = await prepareImage(
    context,
    { ...image, size: image.bytes },
    {
      size: target && targetOf({ ...target, fit }, image, undefined),
      headers: { ...FILE_HEADERS, 'cache-control': cache }
    }
  )
  return { send: (reply) => send(raw, reply) }
}

export const downloadHandlers = { downloadAttachment, downloadPreview }
