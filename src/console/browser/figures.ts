/** Texts and lines of the start page, for the server and for the script that refreshes them. */

const WIDTH = 76
const TOP = 2
const BOTTOM = 22
/** The line of a service with fewer requests per minute does not use the whole height. */
const MIN_SCALE = 4

export function countText(count: number): string {
  return count.toLocaleString('en')
}

/** 1 MB is 1,000,000 bytes. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = bytes / 1000
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

/** The `points` of a polyline in a box of 76 × 24. */
export function linePoints(counts: readonly number[]): string {
  const highest = Math.max(MIN_SCALE, ...counts)
  const step = WIDTH / Math.max(1, counts.length - 1)
  return counts
    .map((count, index) => {
      const y = BOTTOM - ((BOTTOM - TOP) * count) / highest
      return `${Math.round(index * step * 10) / 10},${Math.round(y * 10) / 10}`
    })
    .join(' ')
}

export function lineTitle(counts: readonly number[]): string {
  const sum = counts.reduce((total, count) => total + count, 0)
  return `${countText(sum)} ${sum === 1 ? 'request' : 'requests'} in the last ${counts.length} minutes`
}
