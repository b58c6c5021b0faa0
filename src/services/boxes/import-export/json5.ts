/**
 * The JSON text of a JSON5 file. Numbers are those of JavaScript, as json-server reads them; those
 * that JSON cannot have are rejected, because they would become null.
 */
export async function toJson(text: string): Promise<string> {
  const { parse } = (await import('json5')).default
  return JSON.stringify(parse(text, rejectInfinite))
}

function rejectInfinite(key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw new SyntaxError(`"${key}" is ${value}, which JSON does not have`)
}
