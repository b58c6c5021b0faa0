import type { Entity } from '../../records/record.ts'

/** Joins pieces to a text and counts the code points, so that entities stay on their words. */
export class TextBuilder {
  #text = ''
  #length = 0
  #entities: Entity[] = []

  get isEmpty(): boolean {
    return this.#text === ''
  }

  endsWith(end: string): boolean {
    return this.#text.endsWith(end)
  }

  add(text: string, entity?: Omit<Entity, 'start' | 'end'>): void {
    const start = this.#length
    this.#text += text
    this.#length += codePointsIn(text)
    if (entity === undefined || text === '') return
    const { type, href, display } = entity
    this.#entities.push({
      ...{ type, start, end: this.#length },
      ...(href !== undefined && { href }),
      ...(display !== undefined && display !== text && { display })
    })
  }

  /** The text without spaces at its end. */
  finish(): { text: string; entities: Entity[] } {
    const text = this.#text.trimEnd()
    const length = codePointsIn(text)
    const entities = this.#entities
      .map((entity) => ({ ...entity, end: Math.min(entity.end, length) }))
      .filter(({ start, end }) => start < end)
    return { text, entities }
  }
}

export function codePointsIn(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
