import { insertRows } from '../../../../kernel/database/insert-rows.ts'
import type { Transaction } from '../../../../kernel/database/transaction.ts'
import { addReferences, releaseReferences } from '../../../../kernel/files/table.ts'
import type { ImportedAttachment } from '../../import-export/imported.ts'
import { filesOf, uploadColumns } from '../attachments.ts'
import type { AttachmentRow } from '../rows.ts'
import { differences, updateRow } from './stored-rows.ts'

export interface AttachmentChange {
  /** Undefined if it is added. */
  before: AttachmentRow | undefined
  after: AttachmentRow
}

/** Undefined if it stays as it is. A stored file stays if the import has none. */
export function attachmentChange(
  attachment: ImportedAttachment,
  before: AttachmentRow | undefined,
  target: { board: string; card: string; member: string }
): AttachmentChange | undefined {
  const { id, name, mediaType, pos, createdAt, alt, url, fileName, upload } = attachment
  const isStored = before !== undefined && before.hash !== null && upload === undefined
  const isLink = url !== undefined
  const after: AttachmentRow = {
    id,
    ...target,
    name,
    media_type: mediaType,
    pos,
    created_at: createdAt,
    url: url ?? null,
    ...(isStored && !isLink ? filePart(before) : uploadColumns(upload)),
    file_name: isLink ? null : (fileName ?? null),
    alt: alt ?? before?.alt ?? null
  }
  if (after.hash === null) after.bytes = attachment.bytes ?? null
  const isEqual =
    before !== undefined && Object.keys(differences(before, { ...after })).length === 0
  return isEqual ? undefined : { before, after }
}

function filePart(row: AttachmentRow): ReturnType<typeof uploadColumns> {
  const { file_name, bytes, hash, image, image_type, image_bytes, width, height, color } = row
  return { file_name, bytes, hash, image, image_type, image_bytes, width, height, color }
}

/** With the references to the files, which are stored already. */
export function* writeAttachments(changes: readonly AttachmentChange[]): Transaction<void> {
  yield* insertRows(
    'attachments',
    changes.flatMap(({ before, after }) => (before === undefined ? [{ ...after }] : []))
  )
  for (const { before, after } of changes) {
    if (before !== undefined) yield* updateRow('attachments', before, { ...after })
  }
  yield* addReferences(changes.flatMap(({ after }) => filesOf(after)))
  yield* releaseReferences(
    changes.flatMap(({ before }) =>
      before === undefined ? [] : filesOf(before).map(({ hash }) => hash)
    )
  )
}
