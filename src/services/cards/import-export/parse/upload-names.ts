import { uploadFileName } from './attachments.ts'
import { arrayOf, objectOf } from './values.ts'

/** File names of all uploads of an export, in any order. */
export function* uploadNames(value: unknown): Generator<string> {
  for (const card of arrayOf(objectOf(value).cards)) {
    for (const attachment of arrayOf(objectOf(card).attachments)) {
      const object = objectOf(attachment)
      if (object.isUpload === true) yield uploadFileName(object)
    }
  }
}
