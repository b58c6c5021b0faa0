import type { InvalidField } from '../contract.ts'
import { specialUseNamed } from '../messages/special-uses.ts'
import type { AccountSettings } from './account.ts'
import type { AccountInput } from './account-input.ts'

/** Stands for all mailboxes. */
export const ALL_PATHS = '*'

export type WatchSettings = {
  readonly [Key in 'path' | 'subconnections' | 'notifyFrom' | 'imapIndexer']:
    | AccountSettings[Key]
    | undefined
}

/** Which changes of the account are looked for, after a request; adds to `fields` what is wrong. */
export function changeWatching(
  input: AccountInput,
  before: AccountSettings,
  fields: InvalidField[]
): WatchSettings {
  const { path, subconnections, notifyFrom, imapIndexer } = input
  return {
    path: path === undefined ? before.path : pathsOf('path', path, fields),
    subconnections:
      subconnections === undefined
        ? before.subconnections
        : pathsOf('subconnections', subconnections, fields),
    notifyFrom: notifyFrom === undefined ? before.notifyFrom : timeOf(notifyFrom),
    imapIndexer: imapIndexer === undefined ? before.imapIndexer : (imapIndexer ?? undefined)
  }
}

/** Names of mailboxes as they are compared with those of the server, each once. */
function pathsOf(
  key: 'path' | 'subconnections',
  paths: readonly string[],
  fields: InvalidField[]
): readonly string[] | undefined {
  // All mailboxes are watched by one connection.
  if (paths.includes(ALL_PATHS)) {
    if (key === 'path') return undefined
    fields.push({ key, message: 'must name mailboxes, such as INBOX or \\Sent' })
  }
  const names = paths.map((path) => {
    const use = specialUseNamed(path)
    if (use === undefined && path.startsWith('\\')) {
      const message = 'must be a path, a special use such as \\Sent, or * for all mailboxes'
      fields.push({ key, message })
    }
    return use ?? (path.toUpperCase() === 'INBOX' ? 'INBOX' : path)
  })
  return [...new Set(names)]
}

/** ISO 8601; undefined if it is the time of the registration again. */
function timeOf(text: string | null): string | undefined {
  return text === null ? undefined : new Date(text).toISOString()
}
