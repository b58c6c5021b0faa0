import type { CopyResponseObject, ImapFlow } from 'imapflow'
import { parseCopyUid } from 'imapflow/lib/commands/copyuid-parser.js'
import {
  encodePath,
  enhanceCommandError,
  hasCapability,
  normalizePath
} from 'imapflow/lib/tools.js'
import { type MessageSet, messageSets } from './message-sets.ts'

/**
 * Commands that change messages of the selected mailbox, by UID. Methods of imapflow for them
 * return false if the server rejects a command, and do not say why; these throw the error with the
 * code of the server. `exec` is not in the types of imapflow.
 */
interface Executor {
  exec: (
    command: string,
    attributes: readonly unknown[],
    options?: { untagged: Readonly<Record<string, (response: Response) => Promise<void>>> }
  ) => Promise<{ response: Response; next: () => void }>
}
type Response = Parameters<typeof parseCopyUid>[0]

export type FlagOperation = 'add' | 'delete' | 'set'

const FLAG_ITEMS: Readonly<Record<FlagOperation, string>> = { add: '+', delete: '-', set: '' }

/** False if the mailbox does not keep one of the flags; the others are stored. */
export async function storeFlags(
  client: ImapFlow,
  uids: readonly number[],
  operation: FlagOperation,
  flags: readonly string[]
): Promise<boolean> {
  const kept = operation === 'delete' ? flags : flags.filter((flag) => canKeep(client, flag))
  if (kept.length > 0 || operation === 'set') {
    await storeItems(client, uids, `${FLAG_ITEMS[operation]}FLAGS.SILENT`, kept.map(atom))
  }
  return kept.length === flags.length
}

/** Labels of Gmail; they may contain spaces. */
export async function storeLabels(
  client: ImapFlow,
  uids: readonly number[],
  operation: FlagOperation,
  labels: readonly string[]
): Promise<void> {
  const values = labels.map((label) =>
    label.startsWith('\\') ? atom(label) : { type: 'STRING', value: encodePath(client, label) }
  )
  await storeItems(client, uids, `${FLAG_ITEMS[operation]}X-GM-LABELS`, values)
}

async function storeItems(
  client: ImapFlow,
  uids: readonly number[],
  item: string,
  values: readonly object[]
): Promise<void> {
  for (const set of messageSets(uids)) {
    await execute(client, 'UID STORE', [sequence(set), atom(item), values])
  }
}

/** UIDs in the other mailbox by those in this one; undefined if the server does not tell them. */
export interface MovedMessages {
  readonly uidValidity: string
  readonly uids: ReadonlyMap<number, number>
}

/** Without the extension MOVE messages are copied and then deleted. */
export async function moveMessages(
  client: ImapFlow,
  uids: readonly number[],
  destination: string
): Promise<MovedMessages | undefined> {
  const hasMove = hasExtension(client, 'MOVE')
  const path = normalizePath(client, destination)
  const uidMap = new Map<number, number>()
  let uidValidity: bigint | undefined
  for (const set of messageSets(uids)) {
    const copied: CopyResponseObject = { path: '', destination: path }
    const response = await execute(
      client,
      hasMove ? 'UID MOVE' : 'UID COPY',
      [sequence(set), atom(encodePath(client, path))],
      // With MOVE the code is in an untagged response.
      (untagged) => parseCopyUid(untagged, copied)
    )
    parseCopyUid(response, copied)
    if (!hasMove) await expungeMessages(client, set.uids)
    uidValidity ??= copied.uidValidity
    for (const [from, to] of copied.uidMap ?? []) uidMap.set(from, to)
  }
  return uidValidity === undefined ? undefined : { uidValidity: String(uidValidity), uids: uidMap }
}

export async function expungeMessages(client: ImapFlow, uids: readonly number[]): Promise<void> {
  const hasUidExpunge = hasExtension(client, 'UIDPLUS')
  const others = hasUidExpunge ? [] : await deletedExcept(client, new Set(uids))
  // EXPUNGE removes all that are marked as deleted, also what another program marked.
  if (others.length > 0) await storeFlags(client, others, 'delete', ['\\Deleted'])
  for (const set of messageSets(uids)) {
    await execute(client, 'UID STORE', [sequence(set), atom('+FLAGS.SILENT'), [atom('\\Deleted')]])
    if (hasUidExpunge) await execute(client, 'UID EXPUNGE', [sequence(set)])
  }
  if (!hasUidExpunge) await execute(client, 'EXPUNGE', [])
  if (others.length > 0) await storeFlags(client, others, 'add', ['\\Deleted'])
}

async function deletedExcept(client: ImapFlow, uids: ReadonlySet<number>): Promise<number[]> {
  const deleted = (await client.search({ deleted: true }, { uid: true })) || []
  return deleted.filter((uid) => !uids.has(uid))
}

export async function existsMessage(client: ImapFlow, uid: number): Promise<boolean> {
  const found = await client.search({ uid: String(uid) }, { uid: true })
  return found !== false && found !== undefined && found.includes(uid)
}

/** Also if it is a part of the version of IMAP that the connection uses. */
export function hasExtension(client: ImapFlow, name: string): boolean {
  return hasCapability(client, name)
}

/** Of the selected mailbox. */
export function canKeep({ mailbox }: ImapFlow, flag: string): boolean {
  if (!mailbox || mailbox.permanentFlags === undefined) return true
  const { permanentFlags } = mailbox
  return permanentFlags.has('\\*') || permanentFlags.has(flag)
}

async function execute(
  client: ImapFlow,
  command: string,
  attributes: readonly unknown[],
  onOk?: (response: Response) => void
): Promise<Response> {
  if (!isExecutor(client)) throw new Error('imapflow has no method exec')
  try {
    const { response, next } = await client.exec(command, attributes, {
      untagged: {
        ...(onOk && {
          async OK(untagged: Response) {
            onOk(untagged)
          }
        })
      }
    })
    next()
    return response
  } catch (error) {
    throw await enhanceCommandError(error as Parameters<typeof enhanceCommandError>[0])
  }
}

function isExecutor(client: object): client is Executor {
  return 'exec' in client && typeof client.exec === 'function'
}

function atom(value: string) {
  return { type: 'ATOM', value }
}

function sequence({ text }: MessageSet) {
  return { type: 'SEQUENCE', value: text }
}
