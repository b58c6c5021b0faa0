const ID = /^[1-9][0-9]{0,18}$/
const LONGEST = 19
/** Ids are signed numbers of 64 bits. */
const LARGEST = '9223372036854775807'

/** Ids are never numbers in JavaScript, which would change the last digits. */
export function isPostId(text: string): boolean {
  return ID.test(text) && (text.length < LONGEST || text <= LARGEST)
}
