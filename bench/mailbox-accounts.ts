import { setTimeout as wait } from 'node:timers/promises'
import { type ImapLogin, type MailDaemon, startDaemon, startMailServer } from './mail-daemon.ts'
import { SQLITE } from './storage.ts'
import { type Bar, markdownTable } from './table.ts'

const FEW = 100
const MANY = 1000
/** V8 frees what only the start and the sign-ins needed within this time. */
const SETTLED_MS = 20_000
const QUIET_MS = 120_000

/** Measures a daemon with many accounts to which nothing happens. */
export async function benchAccounts(): Promise<{ text: string; bars: readonly Bar[] }> {
  const storage = await SQLITE.open()
  const server = await startMailServer('--mailbox-sandbox-connections=3000')
  try {
    // The sandbox limits new accounts; several accounts of the daemon share one of its logins.
    const logins = (await server.addAccounts(FEW)).map(({ imap }) => imap)
    await register(storage.flags, logins, 0, FEW)
    const few = await startAndSettle(storage.flags, FEW)
    await few.daemon.stop()
    await register(storage.flags, logins, FEW, MANY)
    const many = await startAndSettle(storage.flags, MANY)
    const before = await many.daemon.usage()
    await wait(QUIET_MS)
    const after = await many.daemon.usage()
    await many.daemon.stop()
    const quiet = (after.cpuMicroseconds - before.cpuMicroseconds) / 10 / QUIET_MS
    const perAccount = (many.residentBytes - few.residentBytes) / (MANY - FEW) / 1024
    const rows = [rowOf(FEW, few), rowOf(MANY, many)]
    return {
      text: `### many accounts

${markdownTable(['accounts', 'connected after', 'resident'], rows)}

Accounts on a sandbox in a process of its own, with six mailboxes each. Connected is the time from the start of the process until all mailboxes of all accounts are compared, with the limit of 20 sign-ins a second to a host; resident is ${SETTLED_MS / 1000} s later. CPU while nothing happens is of ${QUIET_MS / 1000} s.`,
      bars: [
        { what: `seconds until ${MANY} accounts are connected`, value: many.seconds, atMost: 60 },
        { what: 'KB resident for each account', value: perAccount, atMost: 200 },
        { what: `${MANY} quiet accounts, percent of a core`, value: quiet, atMost: 5 }
      ]
    }
  } finally {
    await server.stop()
    await storage.remove()
  }
}

interface Settled {
  daemon: MailDaemon
  seconds: number
  residentBytes: number
}

function rowOf(count: number, { seconds, residentBytes }: Settled): string[] {
  return [String(count), `${seconds.toFixed(1)} s`, `${(residentBytes / 1e6).toFixed(0)} MB`]
}

/** Registers the accounts of these numbers; a restart then connects them all. */
async function register(
  flags: readonly string[],
  logins: readonly ImapLogin[],
  from: number,
  to: number
): Promise<void> {
  const daemon = await startDaemon(flags)
  for (let number = from; number < to; number++) {
    const login = logins[number % logins.length]
    if (login !== undefined) await daemon.register(`account${number}`, login)
  }
  await daemon.untilConnected(to)
  await daemon.stop()
}

async function startAndSettle(flags: readonly string[], count: number): Promise<Settled> {
  const started = performance.now()
  const daemon = await startDaemon(flags)
  await daemon.untilConnected(count)
  const seconds = (performance.now() - started) / 1000
  await wait(SETTLED_MS)
  const { residentBytes } = await daemon.usage()
  return { daemon, seconds, residentBytes }
}
