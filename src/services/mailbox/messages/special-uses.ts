const SPECIAL_USES = [
  '\\All',
  '\\Archive',
  '\\Drafts',
  '\\Flagged',
  '\\Junk',
  '\\Sent',
  '\\Trash',
  '\\Inbox'
] as const
export type SpecialUse = (typeof SPECIAL_USES)[number]

const NAMES = new Map<string, SpecialUse>(SPECIAL_USES.map((use) => [use.toLowerCase(), use]))

/** Clients may write it in any case; undefined if it is the path of a mailbox. */
export function specialUseNamed(text: string): SpecialUse | undefined {
  return NAMES.get(text.toLowerCase())
}
