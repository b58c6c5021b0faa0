import type { Property } from './properties.ts'

/** The property that the parameter of an item's path names; undefined if there is none. */
export function findIdProperty(
  properties: ReadonlyMap<string, Property>,
  parameter: string,
  segment: string
): string | undefined {
  const names = [...properties.keys()].filter((name) => isScalar(properties.get(name)))
  const nouns = [segment, singularOf(segment)].map(plain)
  const wanted = plain(parameter)
  const rests = nouns.filter((noun) => noun !== '' && wanted.startsWith(noun))
  const candidates = [
    wanted,
    ...(wanted === 'username' ? ['login'] : []),
    ...rests.map((noun) => wanted.slice(noun.length)),
    ...(wanted.endsWith('id') ? ['id'] : []),
    ...nouns.map((noun) => noun + wanted),
    ...['id', 'uuid', 'guid', 'key', 'slug', 'code'],
    ...nouns.map((noun) => `${noun}id`)
  ]
  const exact = names.find((name) => name === parameter)
  if (exact !== undefined) return exact
  for (const candidate of candidates) {
    const found = candidate === '' ? undefined : names.find((name) => plain(name) === candidate)
    if (found !== undefined) return found
  }
  return undefined
}

function isScalar(property: Property | undefined): boolean {
  return property?.types.some((type) => type === 'object' || type === 'array') === false
}

/** Makes `todo_id`, `todoId` and `_todo-id` equal. */
export function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function singularOf(noun: string): string {
  if (/ies$/i.test(noun)) return noun.replace(/ies$/i, 'y')
  if (/(?:ss|x|z|ch|sh)es$/i.test(noun)) return noun.slice(0, -2)
  return noun.replace(/s$/i, '')
}

/** Names of properties that refer to a parent, such as `userId` in `/users/{id}/todos`. */
export function parentNames(path: string): string[][] {
  const segments = path.split('/')
  return segments.flatMap((segment, index) => {
    const [, parameter] = /^\{([^{}]+)\}$/.exec(segment) ?? []
    if (parameter === undefined) return []
    const noun = plain(singularOf(segments[index - 1] ?? ''))
    const word = plain(parameter)
    // A bare `id` is the id of the record itself.
    return [GENERIC.includes(word) ? [noun + word] : [word, noun + word]]
  })
}

const GENERIC = ['id', 'uuid', 'key', 'name', 'slug', 'code']

/** Whether the client chose an id; 0 and the empty string request a generated one. */
export function isGivenId(value: unknown): value is string | number {
  return typeof value === 'number' ? value !== 0 : typeof value === 'string' && value !== ''
}
