import {
  isJson as isJsonRange,
  isXml as isXmlRange,
  type MediaRange,
  matchContent,
  parseMediaType
} from '../request/media-type.ts'

/** `application/vnd.pet+json; v=1` → `application/vnd.pet+json`. */
export function essenceOf(type: string): string {
  const end = type.indexOf(';')
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase()
}

export function isRange(type: string): boolean {
  return essenceOf(type).includes('*')
}

export function isJson(type: string): boolean {
  return meets(type, isJsonRange)
}

export function isXml(type: string): boolean {
  return meets(type, isXmlRange)
}

export function isText(type: string): boolean {
  return essenceOf(type).startsWith('text/')
}

function meets(type: string, test: (range: MediaRange) => boolean): boolean {
  const range = parseMediaType(type)
  return range !== undefined && test(range)
}

/** Whether a media type of the document, perhaps with `*`, covers a concrete one. */
export function covers(documented: string, concrete: string): boolean {
  const sent = parseMediaType(concrete)
  return sent !== undefined && matchContent([{ type: documented }], sent) !== undefined
}

/** A charset that only one side names is no other format; any other parameter counts. */
export function hasParametersOf(documented: string, concrete: string): boolean {
  const wanted = parseMediaType(documented)?.parameters
  if (wanted === undefined || wanted.size === 0) return true
  const given = parseMediaType(concrete)?.parameters
  return [...wanted].every(
    ([name, value]) =>
      given?.get(name)?.toLowerCase() === value.toLowerCase() ||
      (name === 'charset' && !given?.has(name))
  )
}
