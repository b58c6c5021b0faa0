let last = { time: Number.NaN, text: '' }

/** Requests of one burst ask for the same millisecond, and more than once each. */
export function isoTime(time: number): string {
  if (time !== last.time) last = { time, text: new Date(time).toISOString() }
  return last.text
}
