let last = { time: Number.NaN, text: '' }

/** Remembers the last time, because requests often need the same millisecond more than once. */
export function isoTime(time: number): string {
  if (time !== last.time) last = { time, text: new Date(time).toISOString() }
  return last.text
}
