import type { Era } from './universe.ts'

/** Years before the event are negative, so that earlier years are less. */
export function parseYear(text: string, era: Era): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([A-Z]{3})$/.exec(text)
  if (match === null) return undefined
  const [, digits, suffix] = match
  if (suffix === era.before) return -Number(digits)
  return suffix === era.after ? Number(digits) : undefined
}
