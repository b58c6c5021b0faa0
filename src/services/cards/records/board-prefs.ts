/** Preferences of boards that are stored, without `permissionLevel`; others cannot be changed. */
export type StoredPrefs = Readonly<Record<string, string | boolean>>

const WHO = ['disabled', 'members', 'observers', 'org', 'public'] as const
/** Values that a preference can have; undefined if it can be any text. */
export const PREF_CHOICES: Readonly<Record<string, readonly string[] | 'boolean' | undefined>> = {
  permissionLevel: ['private', 'org', 'public'],
  voting: WHO,
  comments: WHO,
  invitations: ['members', 'admins'],
  cardAging: ['regular', 'pirate'],
  hideVotes: 'boolean',
  selfJoin: 'boolean',
  cardCovers: 'boolean',
  isTemplate: 'boolean',
  calendarFeedEnabled: 'boolean',
  background: undefined
}

const DEFAULTS = {
  hideVotes: false,
  voting: 'disabled',
  comments: 'members',
  invitations: 'members',
  selfJoin: true,
  cardCovers: true,
  isTemplate: false,
  cardAging: 'regular',
  calendarFeedEnabled: false,
  background: 'blue'
}

const BLUE = '#0079BF'
const COLORS: ReadonlyMap<string, string> = new Map([
  ['blue', BLUE],
  ['orange', '#D29034'],
  ['green', '#519839'],
  ['red', '#B04632'],
  ['purple', '#89609E'],
  ['pink', '#CD5A91'],
  ['lime', '#4BBF6B'],
  ['sky', '#00AECC'],
  ['grey', '#838C91']
])

/** All preferences of a board of Trello's API. */
export function prefsOf(permissionLevel: string, stored: string): Record<string, unknown> {
  const prefs: typeof DEFAULTS = { ...DEFAULTS, ...JSON.parse(stored) }
  const color = COLORS.get(prefs.background) ?? BLUE
  return {
    permissionLevel,
    ...prefs,
    backgroundColor: color,
    backgroundImage: null,
    backgroundImageScaled: null,
    backgroundTile: false,
    backgroundBrightness: 'dark',
    backgroundBottomColor: color,
    backgroundTopColor: color,
    canBePublic: true,
    canBeEnterprise: false,
    canBeOrg: true,
    canBePrivate: true,
    canInvite: false
  }
}
