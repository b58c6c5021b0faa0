/**
 * NOTIFY (RFC 5465), which imapflow 2.1.2 does not have: `exec`, `getUntaggedHandler`,
 * `sectionHandlers` and `preCheck` are not in its types. A test fails if they are gone.
 */
import type { ImapFlow } from 'imapflow'
import { decodePath, normalizePath } from 'imapflow/lib/tools.js'
import { isObject } from '../../../kernel/json.ts'
import { isRejected } from '../messages/rejected-command.ts'

interface Token {
  readonly value?: unknown
}
type Attribute = Token | readonly Attribute[]

export interface UntaggedResponse {
  readonly attributes?: readonly Attribute[]
}

type Untagged = (response: UntaggedResponse) => Promise<void>

interface Internals {
  exec: (
    command: string,
    attributes: readonly unknown[],
    options?: { readonly untagged: Readonly<Record<string, Untagged>> }
  ) => Promise<{ next: () => void }>
  getUntaggedHandler: (command: string, attributes: unknown) => Untagged | undefined
  sectionHandlers: Record<string, () => Promise<void>>
  preCheck?: unknown
}

/** Throws if this version of imapflow does not have what is used here. */
export function internalsOf(client: ImapFlow): Internals {
  const found: object = client
  if (!hasInternals(found)) throw new Error('This version of imapflow has other internals')
  return found
}

function hasInternals(client: object): client is Internals {
  return (
    typeof Reflect.get(client, 'exec') === 'function' &&
    typeof Reflect.get(client, 'getUntaggedHandler') === 'function' &&
    typeof Reflect.get(client, 'sectionHandlers') === 'object' &&
    Reflect.has(client, 'currentRequest')
  )
}

export interface MailboxNotices {
  /** Something in a mailbox may have changed. */
  onStatus: (path: string) => void
  /** A mailbox was added, removed, or renamed, or its subscription has changed. */
  onList: (path: string, oldPath: string | undefined) => void
  /** The server does not tell of changes any more. */
  onOverflow: () => void
}

/** By connection, for `readStatus`. */
const noticesByClient = new WeakMap<ImapFlow, MailboxNotices>()

export function noticesOf(client: ImapFlow): MailboxNotices | undefined {
  return noticesByClient.get(client)
}

/**
 * Reports STATUS and LIST lines that no command has requested. While one of these commands runs,
 * its lines cannot be told from others, so only former names are reported: the result of the command
 * has the rest.
 */
export function reportMailboxLines(client: ImapFlow, notices: MailboxNotices): void {
  const internals = internalsOf(client)
  const find = internals.getUntaggedHandler
  const pathOf = (attribute: Attribute | undefined) => mailboxOf(client, attribute)
  Reflect.set(client, 'getUntaggedHandler', (command: string, attributes: unknown) => {
    const handler = Reflect.apply(find, client, [command, attributes])
    const name = command.toUpperCase()
    if (name !== 'STATUS' && name !== 'LIST') return handler
    return async (response: UntaggedResponse) => {
      const [first, , third, extended] = response.attributes ?? []
      const path = pathOf(name === 'STATUS' ? first : third)
      const oldPath = name === 'LIST' ? pathOf(oldNameOf(extended)) : undefined
      const isRequested = handler !== undefined
      if (path !== undefined && name === 'STATUS' && !isRequested) notices.onStatus(path)
      if (path !== undefined && name === 'LIST' && (!isRequested || oldPath !== undefined)) {
        notices.onList(path, oldPath)
      }
      await handler?.(response)
    }
  })
  noticesByClient.set(client, notices)
  internals.sectionHandlers.NOTIFICATIONOVERFLOW = async () => notices.onOverflow()
}

/** The path of a mailbox as imapflow has it. */
export function mailboxOf(client: ImapFlow, attribute: Attribute | undefined): string | undefined {
  if (attribute === undefined || attribute === null || isList(attribute)) return undefined
  const { value } = attribute
  if (typeof value !== 'string' && !Buffer.isBuffer(value)) return undefined
  return normalizePath(client, decodePath(client, value.toString()))
}

/** `("OLDNAME" ("old"))` */
function oldNameOf(extended: Attribute | undefined): Attribute | undefined {
  if (extended === undefined || extended === null || !isList(extended)) return undefined
  const [name, values] = extended
  if (name === undefined || isList(name) || values === undefined || !isList(values))
    return undefined
  return String(name.value).toUpperCase() === 'OLDNAME' ? values[0] : undefined
}

function isList(attribute: Attribute): attribute is readonly Attribute[] {
  return Array.isArray(attribute)
}

const EVENTS = ['MessageNew', 'MessageExpunge', 'FlagChange', 'MailboxName']

/** Requests notices of all mailboxes of the user; false if the server does not send them. */
export async function setNotify(client: ImapFlow): Promise<boolean> {
  if (!client.capabilities.has('NOTIFY')) return false
  const group = [atom('PERSONAL'), EVENTS.map(atom)]
  try {
    const { next } = await internalsOf(client).exec('NOTIFY', [atom('SET'), group])
    next()
    return true
  } catch (error) {
    if (isRejected(error)) return false
    throw error
  }
}

/** Of a server; all paths are compared with them. */
const MAX_PREFIXES = 100

/** Of mailboxes of other users and shared ones, of whose changes NOTIFY does not tell. */
export function foreignPrefixes(client: ImapFlow): readonly string[] {
  const namespaces: unknown = Reflect.get(client, 'namespaces')
  if (!isObject(namespaces)) return []
  return [namespaces.other, namespaces.shared]
    .flatMap((kind): readonly unknown[] => (Array.isArray(kind) ? kind : []))
    .map((namespace) => (isObject(namespace) ? namespace.prefix : undefined))
    .filter((prefix): prefix is string => typeof prefix === 'string' && prefix !== '')
    .slice(0, MAX_PREFIXES)
}

/** Ends a running IDLE, so that `exec` may follow. */
export async function endIdle(client: ImapFlow): Promise<void> {
  const { preCheck } = internalsOf(client)
  if (typeof preCheck === 'function') await preCheck()
}

function atom(value: string) {
  return { type: 'ATOM', value }
}
