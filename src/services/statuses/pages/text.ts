import { html, type Markup } from '../../../kernel/html.ts'
import { linkedPostId } from '../http/post-url.ts'
import type { Entity, Post } from '../records/record.ts'
import { type Links, postPath } from './links.ts'

/** Characters that change the direction of what follows, up to the end of their element. */
const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const ALL_DIRECTION_CONTROLS = new RegExp(DIRECTION_CONTROLS, 'g')

export interface TextContext {
  baseUrl: string
  links: Links
  /** User names of authors by the ids of posts. */
  linked: ReadonlyMap<string, string>
}

export type Segment = { text: string; entity: Entity | undefined }

/** The text with its links; positions of entities are not trusted. */
export function renderText(
  { text, entities }: Pick<Post, 'text' | 'entities'>,
  context: TextContext
): Markup {
  return html`${splitText(text, entities).map(({ text: part, entity }) =>
    entity === undefined ? isolate(part) : renderEntity(part, entity, context)
  )}`
}

/** Positions count code points; entities that overlap or are out of range are text. */
export function splitText(text: string, entities: readonly Entity[]): Segment[] {
  const characters = Array.from(text)
  const segments: Segment[] = []
  const add = (start: number, end: number, entity?: Entity) => {
    if (start < end) segments.push({ text: characters.slice(start, end).join(''), entity })
  }
  let position = 0
  for (const entity of usableEntities(entities, characters.length)) {
    if (entity.start < position) continue
    add(position, entity.start)
    add(entity.start, entity.end, entity)
    position = entity.end
  }
  add(position, characters.length)
  return segments
}

function usableEntities(entities: readonly Entity[], length: number): Entity[] {
  return entities
    .map((entity) => ({ ...entity, end: Math.min(entity.end, length) }))
    .filter(({ start, end }) => Number.isInteger(start) && start >= 0 && start < end)
    .sort((one, other) => one.start - other.start)
}

function renderEntity(part: string, entity: Entity, context: TextContext): Markup {
  const shown = isolate(entity.display ?? part)
  if (entity.type === 'hashtag') {
    if (context.links.isStatic) return html`<span class="p-category">${shown}</span>`
    const target = context.links.to('/search', { q: part })
    return html`<a class="p-category" href="${target}">${shown}</a>`
  }
  const href = safeUrl(entity.href)
  if (href === undefined) return shown
  const local = localPath(href, context)
  if (local !== undefined) return html`<a href="${context.links.to(local)}">${shown}</a>`
  return html`<a href="${href}" rel="nofollow noopener ugc">${shown}</a>`
}

function localPath(href: string, { baseUrl, linked }: TextContext): string | undefined {
  const id = linkedPostId(href, baseUrl)
  const userName = id === undefined ? undefined : linked.get(id)
  return id === undefined || userName === undefined ? undefined : postPath(userName, id)
}

/** Ids of posts that the links of a text lead to, which may be stored here. */
export function linkedPostIds({ entities }: Pick<Post, 'entities'>, baseUrl: string): string[] {
  const ids = entities.map(({ href }) =>
    href === undefined ? undefined : linkedPostId(href, baseUrl)
  )
  return [...new Set(ids.filter((id) => id !== undefined))]
}

/** Undefined unless it is an absolute `http:` or `https:` URL. */
export function safeUrl(href: string | undefined): string | undefined {
  if (href === undefined || !URL.canParse(href)) return undefined
  const url = new URL(href)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined
}

/** A text whose direction controls have no effect on what follows it. */
export function isolate(text: string): Markup {
  return DIRECTION_CONTROLS.test(text) ? html`<bdi>${text}</bdi>` : html`${text}`
}

/** In code points: a cut text ends after a word if one ends this close to the limit. */
const WORD_END = 15

/** The first code points in one line, for titles and links; without direction controls. */
export function excerptOf(text: string, most: number): string {
  const line = text.replace(ALL_DIRECTION_CONTROLS, '').replace(/\s+/g, ' ').trim().toWellFormed()
  const characters = Array.from(line)
  if (characters.length <= most) return line
  const space = characters.lastIndexOf(' ', most - 1)
  const end = space > 0 && space >= most - WORD_END ? space : most - 1
  return `${characters.slice(0, end).join('').trimEnd()}…`
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'],
  ...['September', 'October', 'November', 'December']
]

/** `2026-03` is March 2026. */
export function monthName(month: string): string {
  const [year = '', number = ''] = month.split('-')
  return `${MONTHS[Number(number) - 1] ?? month} ${year}`
}

/** `3 March 2026, 18:07 UTC`, of an ISO 8601 time in UTC. */
export function timeText(time: string): string {
  const [, day = '', clock = ''] = /-(\d\d)T(\d\d:\d\d)/.exec(time) ?? []
  return `${Number(day)} ${monthName(time.slice(0, 7))}, ${clock} UTC`
}

export function countText(count: number, one: string, several = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : several}`
}
