/** A word of a command line: in quotes unless all its characters are plain in every shell. */
export function quoteForShell(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
