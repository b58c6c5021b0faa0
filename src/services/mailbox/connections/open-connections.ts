import type { ImapFlow } from 'imapflow'
import type { Kernel } from '../../../kernel/service.ts'
import type { Account } from '../accounts/account.ts'
import { hasImap } from '../accounts/has-imap.ts'
import type { MailServer } from '../accounts/servers.ts'
import { AccountNotFound, NotListening, Stopping } from '../contract.ts'
import type { Daemon } from '../daemon/daemon.ts'
import { type AccountConnections, createAccountConnections } from './account-connections.ts'
import { createAccountLogs } from './account-logs.ts'
import { createAccountStates, unwatchedStates } from './account-states.ts'
import { createConnect } from './connect.ts'
import type { Connections } from './connections.ts'
import { accountNotUsable, TOO_MANY_CONNECTIONS, WorkerNotAvailable } from './contract.ts'

/** Of all accounts; each takes up to 200 KB. */
const MAX_CONNECTIONS = 2000

interface CurrentConnections {
  readonly revision: number
  readonly connections: AccountConnections
}

export function openConnections(
  kernel: Kernel,
  { accounts, settings, serverOf }: Pick<Daemon, 'accounts' | 'settings' | 'serverOf'>,
  isWatched: (account: Account) => boolean
): Connections {
  const connect = createConnect(kernel, settings)
  const logs = createAccountLogs(kernel, settings)
  const known = new Map<string, CurrentConnections>()
  /** Of earlier revisions, until their commands have ended; with the ids of their accounts. */
  const retired = new Map<AccountConnections, string>()
  let openCount = 0
  let watchCount = 0
  let isStopped = false

  function serverFor(account: Account): MailServer {
    const server = hasImap(account) ? serverOf(account, 'imap') : undefined
    if (server !== undefined) return server
    throw account.isSandbox ? new NotListening() : accountNotUsable('unset')
  }

  function claimConnection(): void {
    if (openCount >= MAX_CONNECTIONS) {
      for (const { connections } of known.values()) connections.closeIdle()
      throw new WorkerNotAvailable(TOO_MANY_CONNECTIONS)
    }
    openCount++
  }

  async function open(
    account: Account,
    signal: AbortSignal,
    onLine?: (line: string) => void
  ): Promise<ImapFlow> {
    const server = serverFor(account)
    if (onLine === undefined) claimConnection()
    const release = () => {
      if (onLine === undefined) openCount--
      else watchCount--
    }
    if (onLine !== undefined) watchCount++
    try {
      const log = await logs.open(account)
      const client = await connect({ account, server, signal, log, onLine })
      client.once('close', release)
      return client
    } catch (error) {
      release()
      throw error
    }
  }

  function create(account: Account): CurrentConnections {
    const connections = createAccountConnections({
      open: (signal, onLine) => open(account, signal, onLine),
      states: unwatchedStates(createAccountStates(accounts, account, kernel.now), () =>
        isWatched(account)
      ),
      onUnused() {
        retired.delete(connections)
        const isKnown = known.get(account.id)?.connections === connections
        if (isKnown && connections.isClean()) known.delete(account.id)
      }
    })
    return { revision: account.revision, connections }
  }

  function connectionsOf(account: Account): AccountConnections {
    const existing = known.get(account.id)
    if (existing?.revision === account.revision) return existing.connections
    if (existing !== undefined) {
      retired.set(existing.connections, account.id)
      existing.connections.retire()
    }
    const created = create(account)
    known.set(account.id, created)
    return created.connections
  }

  function reset(id: string): void {
    const existing = known.get(id)
    known.delete(id)
    existing?.connections.close()
    for (const [connections, account] of retired) if (account === id) connections.close()
  }

  return {
    async run(id, options, command) {
      if (isStopped) throw new Stopping()
      const account = await accounts.find(id)
      if (account === undefined) {
        reset(id)
        throw new AccountNotFound()
      }
      serverFor(account)
      return connectionsOf(account).run(options, command)
    },
    connect,
    watch: (account, signal, onLine) => connectionsOf(account).watch(signal, onLine),
    waitMs: (account) => connectionsOf(account).waitMs(),
    reset,
    flushLogs: logs.flush,
    count: (id) =>
      id === undefined ? openCount + watchCount : (known.get(id)?.connections.count() ?? 0),
    async stop() {
      isStopped = true
      const all = [...known.values()].map(({ connections }) => connections)
      await Promise.all([...all, ...retired.keys()].map((connections) => connections.end()))
      known.clear()
      await logs.flush()
    }
  }
}
