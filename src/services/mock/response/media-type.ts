/** `application/vnd.pet+json; v=1` → `application/vnd.pet+json`. */
export function essenceOf(type: string): string {
  const end = type.indexOf(';')
  return (end === -1 ? type : type.slice(0, end)).trim().toLowerCase()
}

export function isRange(type: string): boolean {
  return essenceOf(type).includes('*')
}

export function isJson(type: string): boolean {
  return /^[^/]+\/(?:[^/]+\+)?json$/.test(essenceOf(type))
}

export function isXml(type: string): boolean {
  return /^(?:(?:application|text)\/xml|[^/]+\/[^/]+\+xml)$/.test(essenceOf(type))
}

export function isText(type: string): boolean {
  return essenceOf(type).startsWith('text/')
}

/** Whether a media type of the document, perhaps with `*`, covers a concrete one. */
export function covers(documented: string, concrete: string): boolean {
  const [type, subtype] = essenceOf(documented).split('/')
  const [otherType, otherSubtype] = essenceOf(concrete).split('/')
  return (
    (type === '*' || type === otherType) &&
    (subtype === '*' || subtype === otherSubtype || type === '*')
  )
}

/** Parameters of the document must be there too; the other side may have more. */
export function coversWithParameters(documented: string, concrete: string): boolean {
  if (!covers(documented, concrete)) return false
  const given = parametersOf(concrete)
  return [...parametersOf(documented)].every(([name, value]) => given.get(name) === value)
}

function parametersOf(type: string): Map<string, string> {
  const parts = type.split(';').slice(1)
  return new Map(
    parts.map((part) => {
      const [name = '', value = ''] = part.split('=', 2).map((text) => text.trim().toLowerCase())
      return [name, value.replace(/^"(.*)"$/, '$1')] as const
    })
  )
}
