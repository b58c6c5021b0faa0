import { exampleUrl } from '../../src/services/mock/example-url.ts'
import type { MediaType, Operation, Parameter } from '../../src/services/mock/model/api.ts'
import type { ServedApi } from '../../src/services/mock/served-api.ts'

export interface ValidRequest {
  path: string
  headers: Record<string, string>
  body: string | FormData | undefined
  /** False if no body was found that matches the schema of the document. */
  isMeant: boolean
}

/** Headers that the client sets itself. */
const SENT_ANYWAY = ['content-length', 'content-type', 'accept', 'authorization']

/** A valid request for the document, with all required parts and no others. */
export function validRequest(served: ServedApi, operation: Operation): ValidRequest {
  const headers: Record<string, string> = {}
  const cookies: string[] = []
  const query: string[] = []
  for (const parameter of operation.parameters.filter(({ required }) => required)) {
    if (SENT_ANYWAY.includes(parameter.name.toLowerCase())) continue
    if (parameter.in === 'header') headers[parameter.name] = textOf(served, parameter)
    if (parameter.in === 'cookie') cookies.push(`${parameter.name}=${textOf(served, parameter)}`)
  }
  for (const { type, scheme, name = '', in: place } of operation.security[0] ?? []) {
    if (type === 'apiKey' && place === 'query') query.push(`${encodeURIComponent(name)}=key`)
    else if (type === 'apiKey' && place === 'cookie') cookies.push(`${name}=key`)
    else if (type === 'apiKey') headers[name] = 'key'
    else if (scheme === 'basic') headers.authorization = `Basic ${btoa('name:password')}`
    else headers.authorization = 'Bearer token'
  }
  if (cookies.length > 0) headers.cookie = cookies.join('; ')
  const media = mediaOf(operation)
  const value = media && sampleOf(served, media)
  const body = media && bodyOf(media, value, headers)
  const url = exampleUrl(served, operation, '')
  const more = query.length === 0 ? '' : `${url.includes('?') ? '&' : '?'}${query.join('&')}`
  return {
    path: `${url}${more}`,
    headers,
    body,
    isMeant: media?.schema === undefined || value !== undefined
  }
}

function textOf({ generator }: ServedApi, { schema, content, examples }: Parameter): string {
  const pointer = schema ?? content?.schema
  const made = pointer === undefined ? undefined : generator.sampleValue(`#${pointer}`)
  const value = examples[0]?.value ?? (made?.ok ? made.value : 'text')
  if (content !== undefined) return JSON.stringify(value)
  return Array.isArray(value) ? value.join(',') : String(value)
}

function mediaOf({ requestBody }: Operation): MediaType | undefined {
  const contents = requestBody?.contents ?? []
  return contents.find(({ type }) => /json/.test(type)) ?? contents[0]
}

function bodyOf(
  media: MediaType,
  value: unknown,
  headers: Record<string, string>
): string | FormData {
  const type = media.type.replace('*/*', 'text/plain')
  if (/^multipart\//.test(type)) return formOf(value, media)
  headers['content-type'] = type
  if (/json/.test(type)) return JSON.stringify(value ?? {})
  if (type.includes('urlencoded')) return encodeForm(value)
  return typeof value === 'string' ? value : JSON.stringify(value ?? 'text')
}

function sampleOf({ generator }: ServedApi, { schema }: MediaType): unknown {
  if (schema === undefined) return undefined
  const made = generator.sample(`#${schema}`, 'request')
  return made.ok ? made.value : undefined
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function encodeForm(value: unknown): string {
  const pairs = membersOf(value).flatMap(([name, member]) =>
    Array.isArray(member) ? member.map((item) => [name, plain(item)]) : [[name, plain(member)]]
  )
  return new URLSearchParams(pairs).toString()
}

function formOf(value: unknown, { encoding }: MediaType): FormData {
  const form = new FormData()
  for (const [name, member] of membersOf(value)) {
    for (const item of Array.isArray(member) ? member : [member]) {
      const type = encoding.get(name)?.contentType?.split(',')[0]
      if (type === undefined) form.append(name, plain(item))
      else form.append(name, new Blob([plain(item)], { type: type.replace('*/*', 'text/plain') }))
    }
  }
  return form
}

function plain(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}
