import type { Archive } from '../archive/open-archive.ts'
import type { JsonObject } from '../json/read-items.ts'
import { idOf, integerOf, objectOf, objectsOf, stringOf, timeOf, webUrlOf } from '../json/values.ts'
import type { AltTexts, ParsedItem, ParsedMedium } from '../parsed.ts'
import { type Actor, fileIn } from './account.ts'
import { htmlText } from './html-text.ts'

const PUBLIC = ['https://www.w3.org/ns/activitystreams#Public', 'as:Public', 'Public']

export interface NoteContext {
  archive: Archive
  actor: Actor
  altTexts: AltTexts
}

/** The post in an activity of the outbox. */
export function parseActivity(activity: JsonObject, context: NoteContext): ParsedItem {
  const note = objectOf(activity.object)
  const url = stringOf(note.id) ?? stringOf(activity.id) ?? ''
  const id = numberIn(url) ?? numberIn(url.replace(/\/activity$/, ''))
  const name = id ?? (url || 'unknown')
  if (activity.type === 'Announce') return { id: name, skipped: 'boosts of other accounts' }
  if (activity.type !== 'Create' || (note.type !== 'Note' && note.type !== 'Question')) {
    return { id: name, skipped: 'not posts' }
  }
  if (!isPublic(note)) return { id: name, skipped: 'for followers or mentioned people only' }
  const createdAt = timeOf(note.published)
  if (id === undefined) return { id: name, skipped: 'without a numeric id' }
  if (createdAt === undefined) return { id, skipped: 'without a valid date' }
  const { media, missing } = mediaOf(note, id, context)
  const reply = replyOf(note, context.actor)
  return {
    id,
    kind: reply === undefined ? 'post' : 'reply',
    ...htmlText(contentOf(note)),
    createdAt,
    media,
    ...optionalParts(note, context.actor),
    ...(reply !== undefined && { replyTo: reply.replyTo }),
    counts: {
      likes: integerOf(objectOf(note.likes).totalItems) ?? null,
      reposts: integerOf(objectOf(note.shares).totalItems) ?? null,
      ...{ replies: null, quotes: null }
    },
    sensitive: note.sensitive === true,
    source: 'mastodon',
    missingMedia: missing,
    repliesToOthers: reply !== undefined && !reply.isOwn,
    hiddenBecause: undefined
  }
}

/** The id is the last segment of the URL. */
function numberIn(url: string): string | undefined {
  return idOf(url.slice(url.lastIndexOf('/') + 1))
}

function isPublic(note: JsonObject): boolean {
  return [note.to, note.cc].flat().some((target) => PUBLIC.includes(String(target)))
}

/** The options of a poll are lines after its text. */
function contentOf(note: JsonObject): string {
  const options = [...objectsOf(note.oneOf), ...objectsOf(note.anyOf)].map(({ name }) => name)
  const lines = options.map((name) => `<li>– ${escapeHtml(stringOf(name) ?? '')}</li>`)
  return `${stringOf(note.content) ?? ''}${lines.length === 0 ? '' : `<p></p>${lines.join('')}`}`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function optionalParts(note: JsonObject, actor: Actor) {
  const [lang] = Object.keys(objectOf(note.contentMap))
  const editedAt = timeOf(note.updated)
  const summary = stringOf(note.summary)
  const originalUrl = webUrlOf(note.url) ?? webUrlOf(note.id)
  const quotedUrl = webUrlOf(note.quote) ?? webUrlOf(note.quoteUrl)
  const quotedId = quotedUrl === undefined ? undefined : ownId(quotedUrl, actor)
  return {
    ...(lang !== undefined && /^[a-z]{2,3}(-\w+)?$/i.test(lang) && { lang }),
    ...(editedAt !== undefined && { editedAt }),
    ...(summary !== undefined && { summary }),
    ...(originalUrl !== undefined && { originalUrl }),
    ...(quotedUrl !== undefined && { quotedUrl }),
    ...(quotedId !== undefined && { quotedId })
  }
}

/** Ids of other servers are not known here. */
function ownId(url: string, actor: Actor): string | undefined {
  return url.startsWith(`${actor.id}/`) ? numberIn(url) : undefined
}

function replyOf(
  note: JsonObject,
  actor: Actor
): { isOwn: boolean; replyTo: { id?: string; userName?: string } } | undefined {
  const url = stringOf(note.inReplyTo)
  if (url === undefined) return undefined
  const id = ownId(url, actor)
  if (id !== undefined) {
    return { isOwn: true, replyTo: { id, userName: actor.account.userName } }
  }
  const mention = objectsOf(note.tag).find(({ type }) => type === 'Mention')
  const userName = stringOf(mention?.name)?.replace(/^@/, '')
  return { isOwn: false, replyTo: userName === undefined ? {} : { userName } }
}

function mediaOf(
  note: JsonObject,
  id: string,
  { archive, altTexts }: NoteContext
): { media: ParsedMedium[]; missing: string[] } {
  const media: ParsedMedium[] = []
  const missing: string[] = []
  for (const attachment of objectsOf(note.attachment)) {
    const entry = fileIn(archive, attachment.url)
    if (entry === undefined) {
      missing.push(`${id}: ${stringOf(attachment.url) ?? 'file'}`)
      continue
    }
    const url = stringOf(attachment.url)
    const alt = altTexts.find(id, { url, id: undefined }) ?? stringOf(attachment.name)
    media.push({
      type: String(attachment.mediaType).startsWith('video/') ? 'video' : 'photo',
      ...{ entry, poster: undefined },
      width: integerOf(attachment.width) ?? 0,
      height: integerOf(attachment.height) ?? 0,
      ...(alt !== undefined && { alt })
    })
  }
  return { media, missing }
}
