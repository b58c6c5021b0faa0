import { parseMediaType } from '../../kernel/media-type.ts'
import { formatPointer } from './document/pointer.ts'
import type { MediaType, Operation } from './model/api.ts'

/** Media types by names that authors write for them. */
const USUAL: Readonly<Record<string, string>> = {
  binary: 'application/octet-stream',
  csv: 'text/csv',
  form: 'application/x-www-form-urlencoded',
  gif: 'image/gif',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  multipart: 'multipart/form-data',
  pdf: 'application/pdf',
  plain: 'text/plain',
  png: 'image/png',
  text: 'text/plain',
  txt: 'text/plain',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip'
}

export interface MediaTypeMistake {
  pointer: string
  text: string
}

/** Contents that no request and no response can have, because their types are not media types. */
export function findMediaTypeMistakes(operations: readonly Operation[]): MediaTypeMistake[] {
  const found = new Map<string, MediaTypeMistake>()
  for (const { pointer, requestBody, responses } of operations) {
    const owners = [
      { owner: `${pointer}/requestBody`, contents: requestBody?.contents ?? [] },
      ...responses.map((response) => ({ owner: response.pointer, contents: response.contents }))
    ]
    for (const { owner, contents } of owners) {
      for (const mistake of mistakesIn(owner, contents)) found.set(mistake.pointer, mistake)
    }
  }
  return [...found.values()]
}

function mistakesIn(owner: string, contents: readonly MediaType[]): MediaTypeMistake[] {
  return contents
    .filter(({ type }) => parseMediaType(type) === undefined)
    .map(({ type }) => ({
      pointer: owner + formatPointer(['content', type]),
      text: `"${type}" is not a media type and is ignored; ${hintFor(type)}`
    }))
}

function hintFor(type: string): string {
  const name = type.toLowerCase().replace(/^[^a-z]+/, '')
  const usual = Object.hasOwn(USUAL, name) ? USUAL[name] : undefined
  return usual === undefined
    ? 'a media type has two parts, such as application/json'
    : `write ${usual}`
}
