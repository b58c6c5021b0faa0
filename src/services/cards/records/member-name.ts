import { isObjectId } from './ids.ts'

const USER_NAME = /^[A-Za-z0-9_]{1,30}$/

/** Whether a new member may have the user name; paths have ids and `me` in the same position. */
export function isMemberName(text: string): boolean {
  return USER_NAME.test(text) && text.toLowerCase() !== 'me' && !isObjectId(text)
}

/** Names that differ by case only are equal. */
export function foldName(userName: string): string {
  return userName.toLowerCase()
}
