import type { RequestLog } from './request-log.ts'

/** Where a host tells what happens while it serves. */
export interface Reporter {
  requestLog: RequestLog | undefined
  warn: (text: string) => void
  /** For what needs no action; `warn` by default. */
  inform?: (text: string) => void
  onUnexpectedError: (service: string, error: Error) => void
  /** Called during the start, before each service is mounted. */
  beforeMount?: () => void
  /** Lines of output that could not be written; for the metrics. */
  linesDropped?: () => number
}
