import type { Archive } from '../archive/open-archive.ts'
import { readItems } from '../json/read-items.ts'
import { cleanText, objectOf, timeOf } from '../json/values.ts'
import { unescapeText } from './convert-text.ts'
import { type Mark, noteMarksOf } from './marks.ts'

/** The whole text of a post of more than 280 characters, whose own text was cut. */
export interface Note {
  text: string
  marks: Mark[]
  editedAt: string | undefined
}

/** Long posts by the second they were created in, because they have ids of their own. */
export class Notes {
  readonly #bySecond = new Map<string, Note[]>()

  static async read(archive: Archive): Promise<Notes> {
    const notes = new Notes()
    for (const entry of archive.find('note-tweet.js')) {
      for await (const { value } of readItems(entry)) notes.#add(objectOf(value.noteTweet ?? value))
    }
    return notes
  }

  #add({ core, createdAt, updatedAt }: Readonly<Record<string, unknown>>): void {
    const { text } = objectOf(core)
    const second = timeOf(createdAt)?.slice(0, 19)
    if (second === undefined || typeof text !== 'string') return
    const updated = timeOf(updatedAt)
    const isEdited = updated !== undefined && updated.slice(0, 19) > second
    const marks = noteMarksOf(objectOf(core))
    const note = { text: cleanText(text), marks, editedAt: isEdited ? updated : undefined }
    const others = this.#bySecond.get(second)
    if (others === undefined) this.#bySecond.set(second, [note])
    else others.push(note)
  }

  /** The note whose beginning is the text of the post. */
  find(createdAt: string, text: string): Note | undefined {
    const candidates = this.#bySecond.get(createdAt.slice(0, 19))
    if (candidates === undefined) return undefined
    const beginnings = beginningsOf(text)
    const matching = candidates.filter(({ text: whole }) =>
      beginnings.some((beginning) => normalise(whole).startsWith(beginning))
    )
    // Two posts of one second may start alike: the note is longer than its post.
    return matching.find((note) => note.text.length >= text.length) ?? matching[0]
  }
}

/** The text up to the point where it was cut or has a shortened URL, with and without names. */
function beginningsOf(text: string): string[] {
  const plain = unescapeText(text)
    .replace(/(?:…|\s*https?:\/\/\S*)+\s*$/u, '')
    .replace(/https?:\/\/[\s\S]*$/u, '')
  const whole = normalise(plain)
  const withoutNames = normalise(plain.replace(/^(?:@\w+\s+)+/, ''))
  return [whole, withoutNames].filter((beginning) => beginning !== '')
}

function normalise(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}
