import type { ImapFlow, ListResponse } from 'imapflow'
import type { Account } from '../accounts/account.ts'

/** Paths that the account names for special uses; they win over what the server says. */
export interface FolderHints {
  readonly sent?: string
  readonly drafts?: string
  readonly junk?: string
  readonly trash?: string
  readonly archive?: string
}

/** A list is requested again after this time, because other programs change mailboxes too. */
const MAX_AGE_MS = 5 * 60_000

export function hintsOf({ settings: { imap } }: Pick<Account, 'settings'>): FolderHints {
  if (imap === undefined || imap === false) return {}
  const { sentMailPath, draftsMailPath, junkMailPath, trashMailPath, archiveMailPath } = imap
  return {
    ...(sentMailPath && { sent: sentMailPath }),
    ...(draftsMailPath && { drafts: draftsMailPath }),
    ...(junkMailPath && { junk: junkMailPath }),
    ...(trashMailPath && { trash: trashMailPath }),
    ...(archiveMailPath && { archive: archiveMailPath })
  }
}

/** By connection, because that is closed when the settings of its account change. */
const known = new WeakMap<ImapFlow, { readonly time: number; readonly folders: ListResponse[] }>()

/** Special uses first, then by path; may be some minutes old. */
export async function foldersOf(
  client: ImapFlow,
  hints: FolderHints
): Promise<readonly ListResponse[]> {
  const stored = known.get(client)
  const isFresh = stored !== undefined && performance.now() - stored.time < MAX_AGE_MS
  return isFresh ? stored.folders : listFolders(client, hints)
}

export interface StatusItems {
  readonly messages?: boolean
  readonly unseen?: boolean
  readonly uidNext?: boolean
}

export async function listFolders(
  client: ImapFlow,
  hints: FolderHints,
  statusQuery?: StatusItems
): Promise<readonly ListResponse[]> {
  const folders = await client.list({
    specialUseHints: hints,
    ...(statusQuery !== undefined && { statusQuery })
  })
  known.set(client, { time: performance.now(), folders })
  return folders
}

/** After a mailbox was added, renamed or removed. */
export function forgetFolders(client: ImapFlow): void {
  known.delete(client)
}

export function isSelectable({ flags }: Pick<ListResponse, 'flags'>): boolean {
  return !flags.has('\\Noselect') && !flags.has('\\NonExistent')
}
