import { MissingServerExtension } from './contract.ts'
import { type FlagOperation, hasExtension, storeFlags, storeLabels } from './imap-commands.ts'
import type { MailSession } from './session.ts'

const LABELS_EXTENSION = 'X-GM-EXT-1'

export type Changes = Readonly<Partial<Record<FlagOperation, readonly string[]>>>

export interface Update {
  readonly flags?: Changes
  readonly labels?: Changes
}

/** Whether each operation was done. */
type ChangeResults = Partial<Record<FlagOperation, boolean>>

/** Changes flags and labels of messages of the selected mailbox. */
export async function updateMessages(
  { client }: MailSession,
  uids: readonly number[],
  { flags, labels }: Update
): Promise<{ flags?: ChangeResults; labels?: ChangeResults }> {
  if (labels !== undefined && !hasExtension(client, LABELS_EXTENSION)) {
    throw new MissingServerExtension(LABELS_EXTENSION, 'labels')
  }
  const isFound = uids.length > 0
  const changed: { flags?: ChangeResults; labels?: ChangeResults } = {}
  if (flags !== undefined) {
    changed.flags = await each(flags, async (operation, values) => {
      const distinct = [...new Set(values.map(spelled))]
      return isFound && (await storeFlags(client, uids, operation, distinct))
    })
  }
  if (labels !== undefined) {
    changed.labels = await each(labels, async (operation, values) => {
      if (isFound) await storeLabels(client, uids, operation, [...new Set(values)])
      return isFound
    })
  }
  return changed
}

/** `set` replaces all flags, so `add` and `delete` are not used with it. */
async function each(
  changes: Changes,
  change: (operation: FlagOperation, values: readonly string[]) => Promise<boolean>
): Promise<ChangeResults> {
  const operations: readonly FlagOperation[] =
    changes.set === undefined ? ['add', 'delete'] : ['set']
  const done: ChangeResults = {}
  for (const operation of operations) {
    const values = changes[operation]
    if (values !== undefined) done[operation] = await change(operation, values)
  }
  return done
}

/** As servers spell system flags: `\Seen`. */
export function spelled(flag: string): string {
  return flag.startsWith('\\')
    ? `\\${flag.charAt(1).toUpperCase()}${flag.slice(2).toLowerCase()}`
    : flag
}
