import { PREF_CHOICES } from '../../records/board-prefs.ts'
import { isShortLink } from '../../records/ids.ts'
import { LABEL_COLORS } from '../../records/label-colors.ts'
import type { ImportedBoard, ImportedMember } from '../imported.ts'
import { TEXT_LIMITS } from '../limits.ts'
import type { ParseContext } from './context.ts'
import { choiceOf, countOf, idOf, type JsonObject, objectOf, textOf } from './values.ts'

const MAX_PREF = 1_024
const SLUG = /^[\p{Letter}\p{Number}][\p{Letter}\p{Number}-]{0,99}$/u

export function parseBoard(object: JsonObject, id: string, context: ParseContext): ImportedBoard {
  const prefs = objectOf(object.prefs)
  const { shortLink } = object
  const max = TEXT_LIMITS.name
  return {
    id: context.idFor(id),
    ...(context.keepsShortLinks &&
      typeof shortLink === 'string' &&
      isShortLink(shortLink) && { shortLink }),
    name: textOf(object.name, { what: 'names of boards', max, id }, context) ?? '',
    description:
      textOf(
        object.desc,
        { what: 'descriptions of boards', max: TEXT_LIMITS.description, id },
        context
      ) ?? '',
    isClosed: object.closed === true,
    permission: choiceOf(prefs.permissionLevel, ['private', 'org', 'public']) ?? 'private',
    prefs: parsePrefs(prefs, id, context),
    labelNames: parseLabelNames(objectOf(object.labelNames), id, context),
    ...(context.isOwn && parseOwnFacts(objectOf(object.nonet), context))
  }
}

function parsePrefs(
  prefs: JsonObject,
  id: string,
  context: ParseContext
): Record<string, string | boolean> {
  const known: Record<string, string | boolean> = {}
  for (const [name, choices] of Object.entries(PREF_CHOICES)) {
    const value = prefs[name]
    if (name === 'permissionLevel') continue
    const isBoolean = choices === 'boolean' && typeof value === 'boolean'
    const isChoice = Array.isArray(choices) && choices.includes(value)
    if (isBoolean || isChoice) known[name] = value as string | boolean
    if (choices !== undefined) continue
    const text = textOf(value, { what: 'preferences of boards', max: MAX_PREF, id }, context)
    if (text !== undefined) known[name] = text
  }
  return known
}

/** Those that are not empty. */
function parseLabelNames(
  names: JsonObject,
  id: string,
  context: ParseContext
): Record<string, string> {
  const known: Record<string, string> = {}
  for (const color of LABEL_COLORS) {
    const rules = { what: 'names of labels', max: TEXT_LIMITS.label, id }
    const name = textOf(names[color], rules, context) ?? ''
    if (name !== '') known[color] = name
  }
  return known
}

/** What only exports of nonet have. */
function parseOwnFacts(nonet: JsonObject, { idFor }: ParseContext): Partial<ImportedBoard> {
  const { slug, timeZone } = nonet
  const owner = parseOwner(objectOf(nonet.owner))
  const lastNumber = countOf(nonet.lastNumber)
  const fieldOf = (value: unknown) => {
    const id = idOf(value)
    return id === undefined ? null : idFor(id)
  }
  return {
    ...(isSlug(slug) && { slug }),
    ...(typeof timeZone === 'string' && isTimeZone(timeZone) && { timeZone }),
    ...(lastNumber !== undefined && { lastNumber }),
    completedField: fieldOf(nonet.completedField),
    urlField: fieldOf(nonet.urlField),
    ...(owner !== undefined && { owner })
  }
}

export function isSlug(value: unknown): value is string {
  return typeof value === 'string' && SLUG.test(value)
}

const USER_NAME = /^[A-Za-z0-9_]{1,100}$/

export function parseOwner({ id, username, fullName }: JsonObject): ImportedMember | undefined {
  const known = idOf(id)
  if (known === undefined || typeof username !== 'string' || !USER_NAME.test(username)) {
    return undefined
  }
  const isName = typeof fullName === 'string' && fullName !== '' && fullName.length <= 200
  return { id: known, userName: username, fullName: isName ? fullName : username }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name.length <= 64
  } catch {
    return false
  }
}
