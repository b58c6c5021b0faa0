import { cutText } from '../../../../kernel/cut-text.ts'
import type { Files } from '../../../../kernel/files/files.ts'
import { decodePartText, type ReadableMessage } from './read-part.ts'
import { isTextBody, leavesOf } from './section.ts'

export interface BodyText {
  readonly text: string
  /** Whether it was cut. */
  readonly isCut: boolean
}

/** Of each text, if not told otherwise; characters are UTF-16 units. */
const MAX_CHARACTERS = 1024 * 1024

/** The plain text of a message; undefined if it has none. */
export function readText(
  files: Files,
  message: ReadableMessage,
  maxCharacters = MAX_CHARACTERS
): Promise<BodyText | undefined> {
  return readBodies(files, message, 'text/plain', maxCharacters)
}

/** The HTML of a message, as it was sent: never to be shown outside of a sandbox. */
export function readHtml(
  files: Files,
  message: ReadableMessage,
  maxCharacters = MAX_CHARACTERS
): Promise<BodyText | undefined> {
  return readBodies(files, message, 'text/html', maxCharacters)
}

async function readBodies(
  files: Files,
  { file, root }: ReadableMessage,
  type: string,
  most: number
): Promise<BodyText | undefined> {
  const bodies = leavesOf(root).filter(({ part }) => isTextBody(part) && part.type === type)
  if (bodies.length === 0) return undefined
  let text = ''
  for (const { part } of bodies) {
    if (text !== '' && !text.endsWith('\n')) text += '\n'
    for await (const piece of decodePartText(files, file, part)) {
      text += piece
      if (text.length > most) {
        return { text: clean(cutText(text, most)), isCut: true }
      }
    }
  }
  return { text: clean(text), isCut: false }
}

function clean(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\0', '\ufffd').toWellFormed()
}
