import { createdAt, isShortLink } from '../../records/ids.ts'
import { LABEL_COLORS } from '../../records/label-colors.ts'
import type { ImportedCard, ImportedField } from '../imported.ts'
import { TEXT_LIMITS } from '../limits.ts'
import { type ParsedAttachment, parseAttachments } from './attachments.ts'
import { isSlug } from './board.ts'
import { parseChecklists } from './checklists.ts'
import type { ParseContext } from './context.ts'
import { parseItems } from './items.ts'
import type { Rejected } from './objects.ts'
import {
  arrayOf,
  choiceOf,
  countOf,
  idOf,
  type JsonObject,
  objectOf,
  posOf,
  textOf,
  timeOf
} from './values.ts'

const STEP = 65_536
const MAX_FORMER_SLUGS = 100
const CARD_ROLE = /^[A-Za-z]{1,32}$/

/** A card whose uploads have their sources. */
export interface ParsedCard extends Omit<ImportedCard, 'attachments'> {
  readonly attachments: readonly ParsedAttachment[]
}

/** Ids of lists and labels, and fields, that the file has, by their new ids. */
export interface BoardParts {
  readonly lists: ReadonlySet<string>
  readonly labels: ReadonlySet<string>
  readonly fields: ReadonlyMap<string, ImportedField>
  /** Raw checklists by the id of their card in the file. */
  readonly checklists: ReadonlyMap<string, readonly unknown[]>
}

export function parseCard(
  object: JsonObject,
  id: string,
  index: number,
  parts: BoardParts,
  context: ParseContext
): ParsedCard | Rejected {
  const own = String(object.id).toLowerCase()
  const max = TEXT_LIMITS.name
  const name = textOf(object.name, { what: 'names of cards', max, id: own }, context)
  if (name === undefined) return { rejected: 'without a name' }
  const list = idOf(object.idList)
  if (list === undefined || !parts.lists.has(context.idFor(list))) {
    return { rejected: 'of a list that the file has not' }
  }
  const attachments = parseAttachments(object.attachments, context)
  const number = countOf(object.idShort)
  const { shortLink } = object
  const isLink = typeof shortLink === 'string' && isShortLink(shortLink)
  const rules = { what: 'descriptions of cards', max: TEXT_LIMITS.description, id: own }
  const checklists = [...(parts.checklists.get(own) ?? []), ...arrayOf(object.checklists)]
  return {
    ...{ id, list: context.idFor(list), name },
    ...(context.keepsShortLinks && isLink && { shortLink }),
    ...(number !== undefined && number > 0 && { number }),
    description: textOf(object.desc, rules, context) ?? '',
    isClosed: object.closed === true,
    pos: posOf(object.pos) ?? STEP * (index + 1),
    due: timeOf(object.due) ?? null,
    isDueComplete: object.dueComplete === true,
    dueReminder: reminderOf(object.dueReminder),
    start: timeOf(object.start) ?? null,
    cover: parseCover(object, attachments, context),
    isTemplate: object.isTemplate === true,
    cardRole: roleOf(object.cardRole),
    location: parseLocation(object, own, context),
    hasMember: hasMember(object.idMembers, own, context),
    changedAt: timeOf(object.dateLastActivity) ?? createdAt(id),
    labels: parseCardLabels(object, parts.labels, context),
    items: parseItems(object.customFieldItems, parts.fields, context),
    attachments,
    checklists: parseChecklists(checklists, context),
    ...(context.isOwn && parsePublication(objectOf(object.nonet))),
    ...(context.isOwn && { publishAt: timeOf(objectOf(object.nonet).publishAt) ?? null })
  }
}

function roleOf(value: unknown): string | null {
  return typeof value === 'string' && CARD_ROLE.test(value) ? value : null
}

/** Minutes before the due date; -1 for none. */
function reminderOf(value: unknown): number | null {
  return value === -1 ? -1 : (countOf(value) ?? null)
}

function parseCover(
  { cover, idAttachmentCover, manualCoverAttachment }: JsonObject,
  attachments: readonly ParsedAttachment[],
  { idFor }: ParseContext
): ImportedCard['cover'] {
  const { idAttachment, color, size, brightness } = objectOf(cover)
  const own = idOf(idAttachment ?? idAttachmentCover)
  const attachment = own === undefined ? undefined : idFor(own)
  const isKnown = attachments.some((one) => one.id === attachment)
  return {
    attachment: isKnown && attachment !== undefined ? attachment : null,
    isManual: manualCoverAttachment === true,
    color: isKnown ? null : (choiceOf(color, LABEL_COLORS) ?? null),
    size: choiceOf(size, ['normal', 'full']) ?? 'normal',
    brightness: choiceOf(brightness, ['light', 'dark']) ?? 'dark'
  }
}

const LOCATION_KEYS = ['address', 'locationName', 'coordinates']

/** With the keys in the order of the file. */
function parseLocation(object: JsonObject, id: string, context: ParseContext): string | null {
  const rules = { what: 'locations of cards', max: TEXT_LIMITS.label, id }
  const entries = Object.entries(object).flatMap(([key, value]) => {
    if (!LOCATION_KEYS.includes(key)) return []
    const known = key === 'coordinates' ? pointOf(value) : textOf(value, rules, context)
    return [[key, known ?? null] as const]
  })
  return entries.every(([, value]) => value === null)
    ? null
    : JSON.stringify(Object.fromEntries(entries))
}

function pointOf(value: unknown): object | string | undefined {
  if (typeof value === 'string')
    return /^-?[\d.]{1,30},\s?-?[\d.]{1,30}$/.test(value) ? value : undefined
  const { latitude, longitude } = objectOf(value)
  return typeof latitude === 'number' && typeof longitude === 'number'
    ? { latitude, longitude }
    : undefined
}

/** A board has one member, so others cannot be on its cards. */
function hasMember(value: unknown, id: string, { owner, adjusted }: ParseContext): boolean {
  const members = arrayOf(value)
  const isOwner = (one: unknown) => owner !== undefined && idOf(one) === owner
  if (members.some((one) => !isOwner(one))) {
    adjusted.add('cards with members that are left out', id)
  }
  return members.some(isOwner)
}

/** From `idLabels`, or from the labels themselves. */
function parseCardLabels(
  { idLabels, labels }: JsonObject,
  known: ReadonlySet<string>,
  { idFor }: ParseContext
): string[] {
  const given = Array.isArray(idLabels)
    ? idLabels
    : arrayOf(labels).map((label) => objectOf(label).id)
  const ids = given.flatMap((value) => {
    const id = idOf(value)
    return id === undefined || !known.has(idFor(id)) ? [] : [idFor(id)]
  })
  return [...new Set(ids)]
}

function parsePublication({
  slug,
  isSlugSet,
  publishedAt,
  formerSlugs
}: JsonObject): Pick<ImportedCard, 'publication'> {
  const time = timeOf(publishedAt)
  if (!isSlug(slug) || time === undefined) return {}
  const former = arrayOf(formerSlugs).filter(isSlug).slice(0, MAX_FORMER_SLUGS)
  return {
    publication: {
      slug,
      isSlugSet: isSlugSet === true,
      publishedAt: time,
      formerSlugs: [...new Set(former)]
    }
  }
}
