import { sampleToken } from '../../data/fixtures.ts'

/** A request that shows a scenario, ready for a link, a form or a script. */
export interface Example {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const SAMPLE = { authorization: `Bearer ${sampleToken(4)}` }

/** Without these there is nothing for the scenario to act on. */
const NEEDED_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'not-modified': { 'if-none-match': '"old"' },
  stale: { 'if-match': '"old"' },
  'token-expired': SAMPLE,
  'token-revoked': SAMPLE
}

/** From `METHOD /path [body]`. */
export function readExample(name: string, example: string): Example {
  const [method = 'GET', path = '/', ...rest] = example.split(' ')
  return { method, path, body: rest.join(' '), headers: NEEDED_HEADERS[name] ?? {} }
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

/** Fields for a form without a script; undefined when a form cannot say the same. */
export function formFields({ method, body, headers }: Example): [string, string][] | undefined {
  if (method !== 'POST' || Object.keys(headers).length > 0) return undefined
  const entries = Object.entries(Object(JSON.parse(body || '{}')))
  return entries.every(([, value]) => typeof value === 'string')
    ? (entries as [string, string][])
    : undefined
}
