import type { Output } from './output.ts'

export interface LoggedRequest {
  service: string
  method: string | undefined
  url: string | undefined
  status: number
  milliseconds: number
}

export type LogStyle = 'text' | 'json'

export type RequestLog = (request: LoggedRequest) => void

/**
 * Writes one line per request: on a terminal a short text, otherwise JSON. Queries are omitted,
 * because they may contain personal data.
 */
export function createRequestLog(
  output: Output,
  style: LogStyle = output.isTTY ? 'text' : 'json'
): RequestLog {
  const format = style === 'text' ? formatForPeople : formatForPrograms
  let lines: string[] = []

  function flush(): void {
    output.write(lines.join(''))
    lines = []
  }

  return function log(request) {
    // Lines of one event-loop turn are written together.
    if (lines.push(format(request)) === 1) setImmediate(flush)
  }
}

function formatForPeople({
  service,
  method = '',
  url,
  status,
  milliseconds
}: LoggedRequest): string {
  const time = new Date().toTimeString().slice(0, 'hh:mm:ss'.length)
  const what = `${service.padEnd(10)} ${method.padEnd(6)} ${pathOf(url)}`
  return `${time}  ${what}  ${status}  ${milliseconds.toFixed(1)} ms\n`
}

function formatForPrograms({ service, method, url, status, milliseconds }: LoggedRequest): string {
  const ms = Math.round(milliseconds * 10) / 10
  const time = new Date().toISOString()
  return `${JSON.stringify({ time, service, method, path: pathOf(url), status, ms })}\n`
}

const MAX_LOGGED_PATH = 200

function pathOf(url = ''): string {
  const path = url.split('?', 1)[0] ?? ''
  const printable = path.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character))
  return printable.length > MAX_LOGGED_PATH ? `${printable.slice(0, MAX_LOGGED_PATH)}…` : printable
}
