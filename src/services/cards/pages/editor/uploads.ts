import type { CardContext } from '../../context.ts'
import { LimitReached } from '../../contract.ts'
import type { Input, InputFile } from '../../http/input.ts'
import type { NewCardFile } from '../../store/add-card.ts'

export function sentFiles({ allFiles = [] }: Input): readonly InputFile[] {
  return allFiles
}

/** Stores the files of a form; a transaction with rows that refer to them must follow. */
export async function storeFiles(
  context: CardContext,
  input: Input,
  count: number
): Promise<NewCardFile[]> {
  const { maxAttachments } = context.options
  const allFiles = sentFiles(input)
  if (allFiles.length === 0) return []
  // Nothing is stored for a card that cannot take it; the transaction looks again.
  if (count + allFiles.length > maxAttachments) {
    throw new LimitReached(`A card can have at most ${maxAttachments} attachments`)
  }
  const { storeUpload } = await import('../../files/store-upload.ts')
  const files: NewCardFile[] = []
  for (const file of allFiles) {
    const content = await storeUpload(context, file)
    files.push({ name: content.fileName, mediaType: file.mediaType, content })
  }
  return files
}
