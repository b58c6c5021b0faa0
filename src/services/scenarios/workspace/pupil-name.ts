/** Maximum number of characters. */
export const MAX_NAME_LENGTH = 40

/** Control characters, and invisible ones that change the direction of the text around them. */
const UNWANTED =
  /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** The name as it is stored and shown; undefined if it has no visible character or too many. */
export function readPupilName(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined
  const name = value.replace(/\s+/g, ' ').replace(UNWANTED, '').trim().normalize('NFC')
  return VISIBLE.test(name) && [...name].length <= MAX_NAME_LENGTH ? name : undefined
}
