/** Longer and with more characters than X allows: names of Mastodon are imported too. */
const USER_NAME = /^[a-z0-9_](?:[a-z0-9_.-]{0,62}[a-z0-9_])?$/i

export function isUserName(text: string): boolean {
  return USER_NAME.test(text)
}

/** Names that differ by case only are equal. */
export function foldName(userName: string): string {
  return userName.toLowerCase()
}
