import type { Round } from './load.ts'

export interface Outcome {
  title: string
  /** Markdown, one table or more. */
  text: string
  /** Figures; a missed limit fails the run. A figure without a limit is only reported. */
  bars: readonly Bar[]
}

export interface Bar {
  what: string
  value: number
  atLeast?: number
  atMost?: number
}

export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[]
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Table of the servers by CPU; the ratios are relative to `ours`. */
export function roundsTable(rounds: ReadonlyMap<string, Round>, ours: string): string {
  const own = rounds.get(ours)?.cpuMicroseconds ?? Number.NaN
  return markdownTable(
    ['server', 'CPU µs/request', `CPU ÷ ${ours}`, 'requests/s', 'p50 ms', 'p99 ms'],
    [...rounds].map(([name, round]) => [
      name,
      round.cpuMicroseconds.toFixed(1),
      (round.cpuMicroseconds / own).toFixed(2),
      Math.round(round.requestsPerSecond).toString(),
      String(round.p50),
      String(round.p99)
    ])
  )
}

export function ratio(rounds: ReadonlyMap<string, Round>, peer: string, ours: string): number {
  const peerCpu = rounds.get(peer)?.cpuMicroseconds ?? Number.NaN
  return peerCpu / (rounds.get(ours)?.cpuMicroseconds ?? Number.NaN)
}

export function isMet({ value, atLeast, atMost }: Bar): boolean {
  return (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost)
}

export function describeBar(bar: Bar): string {
  if (bar.atLeast === undefined && bar.atMost === undefined) {
    return `- ${bar.what} ${bar.value.toFixed(2)}`
  }
  const limit = bar.atLeast === undefined ? `≤ ${bar.atMost}` : `≥ ${bar.atLeast}`
  return `- ${isMet(bar) ? 'met' : 'MISSED'}: ${bar.what} ${bar.value.toFixed(2)} (bar ${limit})`
}
