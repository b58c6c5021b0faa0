const MAX_LENGTH = 254

/** Form in which email addresses are compared: trimmed, ASCII letters in lower case. */
export function comparable(email: string): string {
  return email.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** One `@` with characters on both sides, no spaces, no characters that a database cannot store. */
export function isEmail(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const email = value.trim()
  if (email.length > MAX_LENGTH || !email.isWellFormed()) return false
  return /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email)
}
