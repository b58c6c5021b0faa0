import { AltTooLong, LangInvalid, TextInvalid, TextMissing, TextTooLong } from '../contract.ts'
import { codePointsIn } from '../import/text/text-builder.ts'

/** Code points of the description of one image. */
export const MAX_ALT_LENGTH = 1_500
const LANG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,4}$/i
const NUL = '\u0000'

/** The text as it is stored: with line feeds only, without spaces at its end. */
export function checkText(given: string, media: number, maxLength: number): string {
  checkCharacters('text', given)
  const text = given.replace(/\r\n?/g, '\n').trimEnd()
  if (text === '' && media === 0) throw new TextMissing()
  if (codePointsIn(text) > maxLength) throw new TextTooLong(maxLength)
  return text
}

export function checkAlt(alt: string | null | undefined): void {
  if (alt === undefined || alt === null) return
  checkCharacters('alt', alt)
  if (codePointsIn(alt) > MAX_ALT_LENGTH) throw new AltTooLong(MAX_ALT_LENGTH)
}

export function checkLang(lang: string | null | undefined): void {
  if (lang !== undefined && lang !== null && !LANG.test(lang)) throw new LangInvalid()
}

/** PostgreSQL cannot store NUL, and half a character cannot be sent as UTF-8. */
function checkCharacters(name: string, value: string): void {
  if (value.includes(NUL) || !value.isWellFormed()) throw new TextInvalid(name)
}
