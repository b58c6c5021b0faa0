import type { Entity, Post } from './record.ts'

/** A part of a text, and the entity that it is. */
export interface TextPart {
  text: string
  entity: Entity | undefined
}

/** Positions count code points and are not trusted: what overlaps or is out of range is text. */
export function splitText({ text, entities }: Pick<Post, 'text' | 'entities'>): TextPart[] {
  const characters = Array.from(text)
  const parts: TextPart[] = []
  const add = (start: number, end: number, entity?: Entity) => {
    if (start < end) parts.push({ text: characters.slice(start, end).join(''), entity })
  }
  let position = 0
  for (const entity of usableEntities(entities, characters.length)) {
    if (entity.start < position) continue
    add(position, entity.start)
    add(entity.start, entity.end, entity)
    position = entity.end
  }
  add(position, characters.length)
  return parts
}

function usableEntities(entities: readonly Entity[], length: number): Entity[] {
  return entities
    .map((entity) => ({ ...entity, end: Math.min(entity.end, length) }))
    .filter(({ start, end }) => Number.isInteger(start) && start >= 0 && start < end)
    .sort((one, other) => one.start - other.start)
}

/** Undefined unless it is an absolute `http:` or `https:` URL. */
export function safeUrl(href: string | undefined): string | undefined {
  if (href === undefined || !URL.canParse(href)) return undefined
  const url = new URL(href)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined
}
