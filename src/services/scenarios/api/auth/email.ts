const MAX_LENGTH = 254

/** As addresses are compared: ASCII letters in lower case, no space around. */
export function comparable(email: string): string {
  return email.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** One `@` with something on both sides, no space, nothing a database cannot keep. */
export function isEmail(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const email = value.trim()
  if (email.length > MAX_LENGTH || !email.isWellFormed()) return false
  return /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email)
}
