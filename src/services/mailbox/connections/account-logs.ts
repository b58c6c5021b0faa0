import { cutText } from '../../../kernel/cut-text.ts'
import type { Database } from '../../../kernel/database/database.ts'
import type { Kernel } from '../../../kernel/service.ts'
import type { Account } from '../accounts/account.ts'
import type { SettingStore } from '../control/setting-store.ts'
import { oneLine } from '../one-line.ts'
import { addLogLines, type LogLine } from '../store/account-logs.ts'
import type { ProtocolLine } from './imap-client.ts'
import { redact } from './redact.ts'

const MAX_LINE = 1000
const FLUSH_MS = 1000
/** Lines of one account between two writes; further ones are only counted. */
const MAX_BUFFERED = 2000

/** The log of a connection; secrets that were passed to `hide` are never in it. */
export interface ConnectionLog {
  readonly write: (line: ProtocolLine) => void
  readonly hide: (secret: string) => void
}

export interface AccountLogs {
  /** Undefined if the account has no log. */
  open: (account: Account) => Promise<ConnectionLog | undefined>
  /** Stores what was logged so far, and waits for what is being stored. */
  flush: () => Promise<void>
}

interface LogBuffer {
  readonly lines: LogLine[]
  dropped: number
}

export function createAccountLogs(
  { database, now }: Pick<Kernel, 'now'> & { readonly database: Pick<Database, 'write'> },
  settings: Pick<SettingStore, 'read'>
): AccountLogs {
  const buffers = new Map<string, LogBuffer>()
  let timer: NodeJS.Timeout | undefined
  let stored: Promise<void> = Promise.resolve()
  let connections = 0

  function add(account: string, line: string): void {
    const buffer = buffers.get(account) ?? { lines: [], dropped: 0 }
    buffers.set(account, buffer)
    if (buffer.lines.length >= MAX_BUFFERED) buffer.dropped++
    else buffer.lines.push({ time: now().getTime(), line: cutText(line, MAX_LINE) })
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref()
  }

  function flush(): Promise<void> {
    stored = stored.then(store)
    return stored
  }

  /** Never rejects: a log is not worth an error of the request or the process that it is about. */
  async function store(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const taken = [...buffers]
    buffers.clear()
    const values = await settings.read().catch(() => undefined)
    if (values === undefined) return
    for (const [account, { lines, dropped }] of taken) {
      if (dropped > 0) lines.push({ time: now().getTime(), line: `* ${dropped} lines are missing` })
      // A log that cannot be stored must not fail the request that it is about.
      await database
        .write(() => addLogLines(account, lines, values.logs.maxLogLines))
        .catch(() => undefined)
    }
  }

  return {
    async open({ id, settings: { logs: isLogged } }) {
      const { logs } = await settings.read()
      if (isLogged !== true && !logs.all) return undefined
      const secrets = new Set<string>()
      const connection = ++connections
      return {
        write: ({ direction, text }) =>
          add(id, `${connection} ${direction} ${redact(oneLine(text, 2 * MAX_LINE), secrets)}`),
        hide: (secret) => secrets.add(secret)
      }
    },
    flush
  }
}
