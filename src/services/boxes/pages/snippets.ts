import type { Markup } from '../../../kernel/html.ts'
import { codeTabs } from '../../../kernel/page-parts.ts'

const EXAMPLE = '{"name": "Ada Lovelace", "born": 1815}'
/** Longer filters are cut out of the snippets. */
const MAX_QUERY = 2000

export interface SnippetSubject {
  /** URL of the box. */
  readonly url: string
  /** Parameters of the list that is shown. */
  readonly parameters: URLSearchParams
  /** The open record; undefined while only the list is shown. */
  readonly record?: { readonly id: string; readonly rev: number } | undefined
  /** Whether requests need a key. */
  readonly needsKey: boolean
}

/** Code for the open record, or else for the box and the filter that are shown. */
export function snippetTabs(subject: SnippetSubject): Markup {
  return codeTabs('snippet', [
    {
      label: 'curl',
      language: 'shell',
      text: subject.record ? curlRecord(subject) : curlBox(subject)
    },
    {
      label: 'fetch',
      language: 'script',
      text: subject.record ? fetchRecord(subject) : fetchBox(subject)
    }
  ])
}

function listUrl({ url, parameters }: SnippetSubject): string {
  const query = parameters.toString()
  return query === '' || query.length > MAX_QUERY ? url : `${url}?${query}`
}

function keyOption({ needsKey }: SnippetSubject): string {
  return needsKey ? ` -H "X-API-KEY: $KEY"` : ''
}

function curlBox(subject: SnippetSubject): string {
  const { url } = subject
  const key = keyOption(subject)
  return [
    '# store a record, and note the _id in the response',
    `curl${key} --json '${EXAMPLE}' '${url}'`,
    subject.parameters.size === 0 ? '# list the newest records' : '# list the records that match',
    `curl${key} '${listUrl(subject)}'`,
    '# watch changes',
    `curl${key} -N -H 'accept: text/event-stream' '${url}'`
  ].join('\n')
}

function curlRecord(subject: SnippetSubject): string {
  const { url, record } = subject
  const target = `'${url}/${record?.id}'`
  const key = keyOption(subject)
  return [
    '# read the record',
    `curl${key} ${target}`,
    '# replace it, unless it has changed since',
    `curl${key} -X PUT -H 'If-Match: "${record?.rev}"' --json '${EXAMPLE}' ${target}`,
    '# delete it',
    `curl${key} -X DELETE ${target}`
  ].join('\n')
}

function headersLine({ needsKey }: SnippetSubject): string {
  const key = needsKey ? ", 'x-api-key': key" : ''
  return `const headers = { 'content-type': 'application/json'${key} }`
}

function options(subject: SnippetSubject, more: string): string {
  const all = [more, subject.needsKey || more !== '' ? 'headers' : ''].filter((one) => one !== '')
  return all.length === 0 ? '' : `, { ${all.join(', ')} }`
}

function fetchBox(subject: SnippetSubject): string {
  const isFiltered = subject.parameters.size > 0
  return `const box = '${subject.url}'
${headersLine(subject)}

// store a record
const body = JSON.stringify({ name: 'Ada Lovelace', born: 1815 })
const stored = await fetch(box${options(subject, "method: 'POST', body")})
const { _id } = await stored.json()

// list the ${isFiltered ? 'records that match' : 'newest records'}
const found = await fetch('${listUrl(subject)}'${options(subject, '')})
const records = await found.json()`
}

function fetchRecord(subject: SnippetSubject): string {
  const { url, record } = subject
  return `const url = '${url}/${record?.id}'
${headersLine(subject)}

// read the record and its revision
const response = await fetch(url${options(subject, '')})
const etag = response.headers.get('etag')
const record = await response.json()

// save it, unless it has changed since
const changed = JSON.stringify({ ...record, born: 1815 })
const saved = await fetch(url, {
  method: 'PUT',
  headers: { ...headers, 'if-match': etag },
  body: changed
})
if (saved.status === 412) throw new Error('It was changed meanwhile')`
}
