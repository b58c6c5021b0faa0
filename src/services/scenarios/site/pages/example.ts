import { sampleToken } from '../../data/fixtures.ts'
import type { Scenario } from '../../pipeline/request-context.ts'

/** Example request of a scenario, for a link, a form or a script. */
export interface Example {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const SAMPLE = { authorization: `Bearer ${sampleToken(4)}` }

/** Headers without which the scenario has no effect. */
const NEEDED_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'not-modified': { 'if-none-match': '"old"' },
  stale: { 'if-match': '"old"' },
  'token-expired': SAMPLE,
  'token-revoked': SAMPLE
}

/** Parses `METHOD /path [body]`. */
export function readExample(name: string, example: string): Example {
  const [method = 'GET', path = '/', ...rest] = example.split(' ')
  return { method, path, body: rest.join(' '), headers: NEEDED_HEADERS[name] ?? {} }
}

/** The scenario as its example selects it, with arguments: `flaky:1/3`. */
export function exampleSpec({ name, example }: Pick<Scenario, 'name' | 'example'>): string {
  const { path } = readExample(name, example)
  return new URLSearchParams(path.split('?')[1] ?? '').get('scenario') ?? name
}

export function curlOf(base: string, { method, path, body, headers }: Example): string {
  const isPlain = method === 'GET' || (method === 'POST' && body !== '')
  return [
    'curl -i',
    ...(isPlain ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === '' ? [] : [`--json '${body}'`]),
    `'${base}${path}'`
  ].join(' ')
}

/** Fields of an HTML form for the request; undefined if a form cannot send it. */
export function formFields({ method, body, headers }: Example): [string, string][] | undefined {
  if (method !== 'POST' || Object.keys(headers).length > 0) return undefined
  const entries = Object.entries(Object(JSON.parse(body || '{}')))
  return entries.every(([, value]) => typeof value === 'string')
    ? (entries as [string, string][])
    : undefined
}
