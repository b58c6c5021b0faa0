import createError, { type FastifyError } from '@fastify/error'

/** Offset in bytes of the error; in JSON errors, a byte order mark is not counted. */
export interface WithPosition {
  readonly position: number
}

const InvalidUtf8 = createError<[number]>(
  'INVALID_UTF8',
  'Invalid UTF-8 at byte %s of the body',
  400
)
const InvalidJson = createError<[string, number]>(
  'INVALID_JSON',
  'Invalid JSON: expected %s at byte %s',
  400
)
const NotAnObject = createError<[number]>(
  'INVALID_JSON',
  'Only JSON objects can be stored; the value at byte %s is not an object',
  400
)

export function invalidUtf8(position: number): FastifyError & WithPosition {
  return Object.assign(new InvalidUtf8(position), { position })
}

/** `at` counts UTF-16 units, as the scanner does. */
export function invalidJson(
  text: string,
  at: number,
  expected: string
): FastifyError & WithPosition {
  const position = byteOf(text, at)
  return Object.assign(new InvalidJson(expected, position), { position })
}

export function notAnObject(text: string, at: number): FastifyError & WithPosition {
  const position = byteOf(text, at)
  return Object.assign(new NotAnObject(position), { position })
}

function byteOf(text: string, at: number): number {
  return Buffer.byteLength(text.slice(0, at))
}
