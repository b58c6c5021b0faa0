/** Sentences by the name of the field. */
export type FieldErrors = ReadonlyMap<string, string>

/** Of titles, descriptions and values, as the API limits them. */
export const MAX_TEXT = 16_384

/** PostgreSQL stores no NUL. */
export function findTextError(text: string, max: number): string | undefined {
  if (text.length > max) {
    return `This has ${grouped(text.length)} characters; the maximum is ${grouped(max)}.`
  }
  const isStorable = text.isWellFormed() && !text.includes('\0')
  return isStorable ? undefined : 'This has a character that cannot be stored.'
}

function grouped(count: number): string {
  return count.toLocaleString('en')
}
