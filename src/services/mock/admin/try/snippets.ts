import { quoteForShell } from '../../../../kernel/quote-for-shell.ts'
import type { DescribedEntry } from '../../journal/describe-entry.ts'
import { CONNECTION_HEADERS } from './raw-request.ts'

/** Headers that clients add by themselves. */
const OF_CLIENTS = ['accept-encoding', 'user-agent', 'content-length']

/** Code that sends a recorded request; credentials are hidden in it as they are in the entry. */
export function curlOf(entry: DescribedEntry, base: string): string {
  const { method, request } = entry
  const text = bodyOf(entry)
  const options = [
    ...(method === (text === undefined ? 'GET' : 'POST') ? [] : [methodOption(method)]),
    quoteForShell(urlOf(entry, base)),
    ...headerLines(entry).map(
      ([name, value]) => `-H ${quoteForShell(value === '' ? `${name};` : `${name}: ${value}`)}`
    ),
    // Clients of curl would add a type for forms.
    ...(text !== undefined && request.headers['content-type'] === undefined
      ? [`-H 'content-type:'`]
      : []),
    ...(text === undefined ? [] : [`--data-raw ${quoteForShell(text)}`])
  ]
  return `curl ${options.join(' \\\n  ')}`
}

function methodOption(method: string): string {
  return method === 'HEAD' ? '--head' : `-X ${quoteForShell(method)}`
}

export function fetchOf(entry: DescribedEntry, base: string): string {
  const { method } = entry
  const text = bodyOf(entry)
  const headers = headerLines(entry).filter(([name]) => name !== 'cookie')
  const members = [
    ...(method === 'GET' ? [] : [`  method: ${literal(method)}`]),
    ...(headers.length === 0 ? [] : [`  headers: ${headersLiteral(headers)}`]),
    ...(text === undefined ? [] : [`  body: ${literal(text)}`])
  ]
  const options = members.length === 0 ? '' : `, {\n${members.join(',\n')}\n}`
  return `const response = await fetch(${literal(urlOf(entry, base))}${options})
const body = await response.text()`
}

function headersLiteral(headers: readonly (readonly [string, string])[]): string {
  const lines = headers.map(([name, value]) => `    ${literal(name)}: ${literal(value)}`)
  return `{\n${lines.join(',\n')}\n  }`
}

function literal(text: string): string {
  const quoted = JSON.stringify(text)
  return text.includes("'") ? quoted : `'${quoted.slice(1, -1).replaceAll('\\"', '"')}'`
}

function urlOf({ path, query }: DescribedEntry, base: string): string {
  return `${base}${query === '' ? path : `${path}?${query}`}`
}

function headerLines({ request }: DescribedEntry): [string, string][] {
  return Object.entries(request.headers).flatMap(([name, value]) =>
    CONNECTION_HEADERS.includes(name) ||
    OF_CLIENTS.includes(name) ||
    name.startsWith('sec-') ||
    (name === 'accept' && value === '*/*')
      ? []
      : [value].flat().map((one): [string, string] => [name, one])
  )
}

/** Undefined if there is no body, or bytes that a command line cannot contain. */
function bodyOf({ request }: DescribedEntry): string | undefined {
  return request.body?.text
}
