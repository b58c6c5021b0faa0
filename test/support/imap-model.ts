/**
 * A small IMAP server with mailboxes that a test changes, with as many extensions as the test says,
 * and with responses that the test may replace: what a correct server would not do.
 */
import type { Socket } from 'node:net'
import { until } from './delivery-receiver.ts'
import { type ImapCommand, type ImapServer, openImapServer, type Respond } from './imap-server.ts'

/** Like `Respond`, and knows the server. */
export type ModelRespond = (command: ImapCommand, model: ImapModel) => ReturnType<Respond>

export const ALL_EXTENSIONS = [
  ...['IDLE', 'ENABLE', 'UIDPLUS', 'UNSELECT', 'SPECIAL-USE', 'LIST-EXTENDED', 'LIST-STATUS'],
  ...['CONDSTORE', 'QRESYNC', 'NOTIFY']
] as const

const PATIENCE_MS = 60_000

interface ModelMessage {
  flags: string[]
  modseq: number
  /** Of its arrival; long ago if it is not set. */
  date?: Date
}

export interface ModelMailbox {
  uidValidity: number
  uidNext: number
  modseq: number
  /** By UID, in ascending order. */
  messages: Map<number, ModelMessage>
  expunged: { uid: number; modseq: number }[]
}

export interface ImapModel extends AsyncDisposable {
  server: ImapServer
  mailboxes: Map<string, ModelMailbox>
  add: (path: string) => ModelMailbox
  /** Adds a message without a notice; its UID. */
  append: (path?: string) => number
  expunge: (uid: number, path?: string) => void
  flag: (uid: number, flags: string[], path?: string) => void
  /** Sends text to the connections that wait: in IDLE, or after NOTIFY; at first to the next one. */
  push: (text: string) => Promise<void>
  /** Tells the connections that wait of the present state of a mailbox. */
  tell: (path?: string) => Promise<void>
  /** Ends NOTIFY of all connections, as servers with too much to tell do (RFC 5465, 5.8). */
  overflow: () => void
  /** Connections that wait. */
  waiting: () => number
  /** Replaces responses from now on; undefined for the usual one. */
  behave: (respond: ModelRespond | undefined) => void
  commands: (name: string) => readonly string[]
}

export interface ImapModelOptions {
  extensions?: readonly string[]
  respond?: ModelRespond
  messages?: number
}

export async function openImapModel(options: ImapModelOptions = {}): Promise<ImapModel> {
  const { extensions = ALL_EXTENSIONS, messages = 3 } = options
  let override = options.respond
  const capabilities = ['IMAP4rev1', ...extensions].join(' ')
  const has = (name: string) => extensions.includes(name)
  const mailboxes = new Map<string, ModelMailbox>()
  const selected = new WeakMap<Socket, string>()
  const idling = new Map<Socket, string>()
  const notified = new Set<Socket>()

  function add(path: string): ModelMailbox {
    const mailbox: ModelMailbox = {
      uidValidity: 100 + mailboxes.size,
      uidNext: 1,
      modseq: 1,
      messages: new Map(),
      expunged: []
    }
    mailboxes.set(path, mailbox)
    return mailbox
  }
  const find = (path: string) => mailboxes.get(path) ?? add(path)

  function append(path = 'INBOX'): number {
    const mailbox = find(path)
    const uid = mailbox.uidNext++
    mailbox.messages.set(uid, { flags: [], modseq: ++mailbox.modseq, date: new Date() })
    return uid
  }

  const sequenceOf = (mailbox: ModelMailbox) =>
    new Map([...mailbox.messages.keys()].map((uid, index) => [uid, index + 1]))

  function statusOf(path: string, mailbox: ModelMailbox): string {
    const modseq = has('CONDSTORE') ? ` HIGHESTMODSEQ ${mailbox.modseq}` : ''
    return `* STATUS ${quote(path)} (MESSAGES ${mailbox.messages.size} UIDNEXT ${mailbox.uidNext} UIDVALIDITY ${mailbox.uidValidity} UNSEEN 0${modseq})\r\n`
  }

  function lineOf(uid: number, number: number, message: ModelMessage, wanted: string): string {
    const modseq = has('CONDSTORE') ? ` MODSEQ (${message.modseq})` : ''
    const sent = formatDate(message.date ?? LONG_AGO)
    const first = `UID ${uid} FLAGS (${message.flags.join(' ')})${modseq}`
    if (!/ENVELOPE|BODY/i.test(wanted)) {
      const date = /INTERNALDATE/i.test(wanted) ? ` INTERNALDATE "${sent}"` : ''
      return `* ${number} FETCH (${first}${date})\r\n`
    }
    const envelope = `("${sent}" "Message ${uid}" (("A" NIL "a" "b.test")) NIL NIL (("B" NIL "b" "b.test")) NIL NIL NIL "<${uid}@b.test>")`
    const structure = '("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "7BIT" 7 1 NIL NIL NIL NIL)'
    const parts = [...wanted.matchAll(/BODY(?:\.PEEK)?(\[[^\]]*\])/g)].map(
      ([, part = '']) => ` BODY${part} {7}\r\nHello\r\n`
    )
    return `* ${number} FETCH (${first} INTERNALDATE "${sent}" RFC822.SIZE 100 ENVELOPE ${envelope} BODYSTRUCTURE ${structure}${parts.join('')})\r\n`
  }

  /** VANISHED and FETCH for what changed since a modseq. */
  function changesSince(mailbox: ModelMailbox, since: number, hasVanished: boolean): string {
    const gone = mailbox.expunged.filter(({ modseq }) => modseq > since).map(({ uid }) => uid)
    const numbers = sequenceOf(mailbox)
    const changed = [...mailbox.messages].filter(([, { modseq }]) => modseq > since)
    const vanished =
      hasVanished && gone.length > 0 ? `* VANISHED (EARLIER) ${gone.join(',')}\r\n` : ''
    return (
      vanished + changed.map(([uid, one]) => lineOf(uid, numbers.get(uid) ?? 0, one, '')).join('')
    )
  }

  function select({ tag, name, line, socket }: ImapCommand): string {
    const path = pathOf(line)
    const mailbox = mailboxes.get(path)
    if (mailbox === undefined) return `${tag} NO [NONEXISTENT] No such mailbox\r\n`
    selected.set(socket, path)
    const modseq = has('CONDSTORE') ? `* OK [HIGHESTMODSEQ ${mailbox.modseq}] ok\r\n` : ''
    const [, since] = /QRESYNC \(\d+ (\d+)/i.exec(line) ?? []
    const changes = since === undefined ? '' : changesSince(mailbox, Number(since), true)
    const flags = '* FLAGS (\\Seen \\Flagged \\Deleted)\r\n'
    return `${flags}* ${mailbox.messages.size} EXISTS\r\n* OK [UIDVALIDITY ${mailbox.uidValidity}] ok\r\n* OK [UIDNEXT ${mailbox.uidNext}] ok\r\n${modseq}${changes}${tag} OK [${name === 'EXAMINE' ? 'READ-ONLY' : 'READ-WRITE'}] done\r\n`
  }

  function fetch({ tag, line, socket }: ImapCommand): string {
    const mailbox = mailboxes.get(selected.get(socket) ?? '')
    if (mailbox === undefined) return `${tag} BAD No mailbox is selected\r\n`
    const isUid = /^\S+ UID /i.test(line)
    const [, set = '1:*', wanted = ''] = /FETCH (\S+) (.*)$/i.exec(line) ?? []
    const [, since] = /CHANGEDSINCE (\d+)/i.exec(wanted) ?? []
    const numbers = sequenceOf(mailbox)
    const last = isUid ? mailbox.uidNext - 1 : mailbox.messages.size
    const isWanted = membership(set, last)
    const found = [...mailbox.messages]
      .filter(([uid]) => isWanted(isUid ? uid : (numbers.get(uid) ?? 0)))
      .filter(([, { modseq }]) => since === undefined || modseq > Number(since))
    const gone = /VANISHED/i.test(wanted)
      ? mailbox.expunged.filter(({ modseq }) => modseq > Number(since))
      : []
    const vanished =
      gone.length > 0 ? `* VANISHED (EARLIER) ${gone.map(({ uid }) => uid).join(',')}\r\n` : ''
    const lines = found.map(([uid, one]) => lineOf(uid, numbers.get(uid) ?? 0, one, wanted))
    return `${vanished}${lines.join('')}${tag} OK done\r\n`
  }

  function usual(command: ImapCommand): string | undefined {
    const { tag, name, line, socket } = command
    if (line.toUpperCase() === 'DONE') {
      const idle = idling.get(socket)
      idling.delete(socket)
      return idle === undefined ? '' : `${idle} OK done\r\n`
    }
    switch (name) {
      case 'CAPABILITY':
        return `* CAPABILITY ${capabilities}\r\n${tag} OK done\r\n`
      case 'ENABLE':
        return `* ENABLED ${line.split(' ').slice(2).join(' ')}\r\n${tag} OK done\r\n`
      case 'NAMESPACE':
        return `* NAMESPACE (("" "/")) NIL NIL\r\n${tag} OK done\r\n`
      case 'LIST': {
        const hasStatus = /RETURN \(.*STATUS/i.test(line)
        const listed = / "?INBOX"?$/i.test(line) ? ['INBOX'] : [...mailboxes.keys()]
        const lines = listed.map(
          (path) => `* LIST () "/" ${quote(path)}\r\n${hasStatus ? statusOf(path, find(path)) : ''}`
        )
        return `${lines.join('')}${tag} OK done\r\n`
      }
      case 'LSUB':
        return `${tag} OK done\r\n`
      case 'STATUS': {
        const path = pathOf(line)
        const mailbox = mailboxes.get(path)
        if (mailbox === undefined) return `${tag} NO [NONEXISTENT] No such mailbox\r\n`
        return `${statusOf(path, mailbox)}${tag} OK done\r\n`
      }
      case 'SELECT':
      case 'EXAMINE':
        return select(command)
      case 'SEARCH': {
        const uids = [...(mailboxes.get(selected.get(socket) ?? '')?.messages.keys() ?? [])]
        return `* SEARCH ${uids.join(' ')}\r\n${tag} OK done\r\n`
      }
      case 'FETCH':
        return fetch(command)
      case 'IDLE':
        idling.set(socket, tag)
        return '+ idling\r\n'
      case 'NOTIFY':
        notified.add(socket)
        return `${tag} OK done\r\n`
      default:
        return undefined
    }
  }

  const respond: Respond = async (command) => (await override?.(command, model)) ?? usual(command)
  const greet = (socket: Socket) => {
    socket.once('close', () => {
      idling.delete(socket)
      notified.delete(socket)
    })
    return `* OK [CAPABILITY ${capabilities}] ready\r\n`
  }
  const server = await openImapServer({ respond, greet })
  const waiting = () => new Set([...idling.keys(), ...notified])
  let isClosed = false
  const isWaiting = () =>
    until(() => isClosed || waiting().size > 0, 'a connection that waits', PATIENCE_MS)
  add('INBOX')
  for (let number = 0; number < messages; number++) append()
  for (const message of find('INBOX').messages.values()) delete message.date
  const model: ImapModel = {
    server,
    mailboxes,
    add,
    append,
    expunge(uid, path = 'INBOX') {
      const mailbox = find(path)
      mailbox.messages.delete(uid)
      mailbox.expunged.push({ uid, modseq: ++mailbox.modseq })
    },
    flag(uid, flags, path = 'INBOX') {
      const mailbox = find(path)
      const message = mailbox.messages.get(uid)
      mailbox.messages.set(uid, { ...message, flags, modseq: ++mailbox.modseq })
    },
    async push(text) {
      await isWaiting()
      for (const socket of waiting()) socket.write(text)
    },
    async tell(path = 'INBOX') {
      await isWaiting()
      const mailbox = find(path)
      for (const socket of waiting()) {
        if (notified.has(socket)) socket.write(statusOf(path, mailbox))
        if (selected.get(socket) === path) socket.write(`* ${mailbox.messages.size} EXISTS\r\n`)
      }
    },
    overflow() {
      for (const socket of notified) socket.write('* OK [NOTIFICATIONOVERFLOW] Too much\r\n')
      notified.clear()
    },
    waiting: () => waiting().size,
    behave(next) {
      override = next
    },
    commands: (name) =>
      server.lines.filter((line) => new RegExp(`^(UID )?${name}\\b`, 'i').test(line)),
    async [Symbol.asyncDispose]() {
      isClosed = true
      await server[Symbol.asyncDispose]()
    }
  }
  return model
}

const LONG_AGO = new Date('2020-07-17T02:44:25Z')

/** As IMAP writes it: `17-Jul-2020 02:44:25 +0000`. */
function formatDate(date: Date): string {
  const [, day, month, year, time] = date.toUTCString().split(' ')
  return `${day}-${month}-${year} ${time} +0000`
}

function quote(path: string): string {
  return `"${path.replaceAll(/(["\\])/g, '\\$1')}"`
}

/** The first argument after the name of the command. */
function pathOf(line: string): string {
  const [, quoted, atom = ''] = /^\S+ \S+ (?:"((?:\\.|[^"\\])*)"|(\S+))/.exec(line) ?? []
  const path = quoted?.replaceAll(/\\(.)/g, '$1') ?? atom
  return path.toUpperCase() === 'INBOX' ? 'INBOX' : path
}

function membership(set: string, last: number): (number: number) => boolean {
  const ranges = set.split(',').map((range) => {
    const [first = '', end = first] = range.split(':')
    const read = (text: string) => (text === '*' ? last : Number(text))
    const [low, high] = [read(first), read(end)]
    return [Math.min(low, high), Math.max(low, high)] as const
  })
  return (number) => ranges.some(([low, high]) => number >= low && number <= high)
}
