import { isoTime } from '../kernel/iso-time.ts'
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

/** Joins strings, because a line of `JSON.stringify` takes 3 % of the CPU of a mocked request. */
function formatForPrograms({ service, method, url, status, milliseconds }: LoggedRequest): string {
  const ms = Math.round(milliseconds * 10) / 10
  const what = method === undefined ? '' : `,"method":${quote(method)}`
  return `{"time":"${isoTime(Date.now())}","service":${quote(service)}${what},"path":${quote(pathOf(url))},"status":${status},"ms":${ms}}\n`
}

const NEEDS_NO_ESCAPE = /^[\x21\x23-\x5b\x5d-\x7e]*$/

function quote(text: string): string {
  return NEEDS_NO_ESCAPE.test(text) ? `"${text}"` : JSON.stringify(text)
}

const MAX_LOGGED_PATH = 200
const UNPRINTABLE = /[^\x21-\x7e]/

function pathOf(url = ''): string {
  const query = url.indexOf('?')
  const path = query === -1 ? url : url.slice(0, query)
  const printable = UNPRINTABLE.test(path)
    ? path.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character))
    : path
  return printable.length > MAX_LOGGED_PATH ? `${printable.slice(0, MAX_LOGGED_PATH)}…` : printable
}
