import type { Activity } from '../console/process-facts.ts'
import { createMinuteCounts, type MinuteCounts } from './minute-counts.ts'

/** Upper bounds of the histogram in milliseconds. */
const BUCKETS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000]

interface Series {
  statuses: Map<number, number>
  buckets: number[]
  totalMs: number
  count: number
  minutes: MinuteCounts
}

/** Counts a request; `now` is the time of its end, of `performance.now()`. */
export type RecordRequest = (status: number, milliseconds: number, now: number) => void

/** Connections of one port that does not speak HTTP; changed by its listener. */
export interface ConnectionCounts {
  accepted: number
  rejected: number
  open: number
}

export interface Metrics {
  forService: (name: string) => RecordRequest
  forListener: (name: string) => ConnectionCounts
  activityOf: (name: string) => Activity
  /** Prometheus text exposition format 0.0.4. */
  render: () => string
}

export function createMetrics(version: string, linesDropped: () => number): Metrics {
  const all = new Map<string, Series>()
  const listeners = new Map<string, ConnectionCounts>()
  return {
    forService(name) {
      const series: Series = {
        statuses: new Map(),
        buckets: BUCKETS.map(() => 0),
        totalMs: 0,
        count: 0,
        minutes: createMinuteCounts()
      }
      all.set(name, series)
      return (status, milliseconds, now) => record(series, status, milliseconds, now)
    },
    forListener(name) {
      const counts: ConnectionCounts = { accepted: 0, rejected: 0, open: 0 }
      listeners.set(name, counts)
      return counts
    },
    activityOf(name) {
      const series = all.get(name)
      return series === undefined
        ? { requests: 0, failed: 0, minutes: [] }
        : describeActivity(series)
    },
    render() {
      const lines = [
        ...describeProcess(version),
        ...describeOutput(linesDropped()),
        ...describeRequests(all),
        ...describeConnections(listeners)
      ]
      return `${lines.join('\n')}\n`
    }
  }
}

function record(series: Series, status: number, milliseconds: number, now: number): void {
  series.statuses.set(status, (series.statuses.get(status) ?? 0) + 1)
  let bucket = 0
  while (milliseconds > (BUCKETS[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1
  if (bucket < BUCKETS.length) series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1
  series.totalMs += milliseconds
  series.count += 1
  series.minutes.add(now)
}

function describeActivity({ statuses, count, minutes }: Series): Activity {
  let failed = 0
  for (const [status, times] of statuses) if (status >= 500) failed += times
  return { requests: count, failed, minutes: minutes.read(performance.now()) }
}

function describeProcess(version: string): string[] {
  const { user, system } = process.cpuUsage()
  return [
    '# HELP nonet_info Version of nonet and of its runtime.',
    '# TYPE nonet_info gauge',
    `nonet_info{version="${version}",node="${process.versions.node}"} 1`,
    '# HELP process_cpu_seconds_total User and system CPU time.',
    '# TYPE process_cpu_seconds_total counter',
    `process_cpu_seconds_total ${(user + system) / 1e6}`,
    '# HELP process_resident_memory_bytes Resident memory.',
    '# TYPE process_resident_memory_bytes gauge',
    `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
    '# HELP process_uptime_seconds Time since the start.',
    '# TYPE process_uptime_seconds gauge',
    `process_uptime_seconds ${process.uptime().toFixed(3)}`
  ]
}

function describeOutput(dropped: number): string[] {
  return [
    '# HELP nonet_log_lines_dropped_total Lines of output that could not be written.',
    '# TYPE nonet_log_lines_dropped_total counter',
    `nonet_log_lines_dropped_total ${dropped}`
  ]
}

function describeRequests(all: ReadonlyMap<string, Series>): string[] {
  return [
    '# HELP nonet_requests_total Completed requests.',
    '# TYPE nonet_requests_total counter',
    ...[...all].flatMap(([service, { statuses }]) =>
      [...statuses].map(
        ([status, count]) =>
          `nonet_requests_total{service="${service}",status="${status}"} ${count}`
      )
    ),
    '# HELP nonet_request_duration_seconds Time from the request line to the end of the response.',
    '# TYPE nonet_request_duration_seconds histogram',
    ...[...all].flatMap(([service, series]) => describeHistogram(service, series))
  ]
}

function describeConnections(listeners: ReadonlyMap<string, ConnectionCounts>): string[] {
  if (listeners.size === 0) return []
  const values = (metric: string, count: keyof ConnectionCounts) =>
    [...listeners].map(([name, counts]) => `${metric}{listener="${name}"} ${counts[count]}`)
  return [
    '# HELP nonet_connections_total Connections of ports for other protocols than HTTP.',
    '# TYPE nonet_connections_total counter',
    ...values('nonet_connections_total', 'accepted'),
    '# HELP nonet_connections_rejected_total Connections that were above a limit.',
    '# TYPE nonet_connections_rejected_total counter',
    ...values('nonet_connections_rejected_total', 'rejected'),
    '# HELP nonet_connections_open Connections that are open.',
    '# TYPE nonet_connections_open gauge',
    ...values('nonet_connections_open', 'open')
  ]
}

function describeHistogram(service: string, series: Series): string[] {
  const name = 'nonet_request_duration_seconds'
  let below = 0
  const buckets = BUCKETS.map((bound, index) => {
    below += series.buckets[index] ?? 0
    return `${name}_bucket{service="${service}",le="${bound / 1000}"} ${below}`
  })
  return [
    ...buckets,
    `${name}_bucket{service="${service}",le="+Inf"} ${series.count}`,
    `${name}_sum{service="${service}"} ${series.totalMs / 1000}`,
    `${name}_count{service="${service}"} ${series.count}`
  ]
}
