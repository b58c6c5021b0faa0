import type { ImapFlow } from 'imapflow'
import { CommandTimeout } from '../contract.ts'
import type { AccountStates } from './account-states.ts'
import { createAttempts } from './attempts.ts'
import { type CommandQueue, createCommandQueue } from './command-queue.ts'
import { ConnectError } from './connect.ts'
import type { CommandOptions } from './connections.ts'
import { connectionClosing } from './contract.ts'
import { describeCommandError } from './describe-error.ts'
import { createSharedClient, type SharedClient } from './shared-client.ts'

/** A connection that the server closes after so long without commands does not count as lost. */
const USEFUL_MS = 5000

/** The connections of an account with one revision of its settings. */
export interface AccountConnections {
  run: <T>(options: CommandOptions, command: (client: ImapFlow) => Promise<T>) => Promise<T>
  /**
   * Opens a connection for what watches the account, which shares the errors of the others. Rejects
   * with a `ConnectError` if the server is the reason.
   */
  watch: (signal: AbortSignal, onLine: (line: string) => void) => Promise<ImapFlow>
  /** Milliseconds until a connection may be opened. */
  waitMs: () => number
  count: () => number
  /** Whether no error must be remembered for the next connection. */
  isClean: () => boolean
  /** Closes connections without commands. */
  closeIdle: () => void
  /** Ends connections and commands at once. */
  close: () => void
  /** Ends connections when their commands have ended; no new command may follow. */
  retire: () => void
  /** For the end of the service. */
  end: () => Promise<void>
}

export interface AccountConnectionsOptions {
  /** Rejects with a `ConnectError` if the server is the reason. */
  readonly open: (signal: AbortSignal, onLine?: (line: string) => void) => Promise<ImapFlow>
  readonly states: AccountStates
  /** No connection is open or needed any more. */
  readonly onUnused: () => void
}

interface Lane {
  readonly client: SharedClient
  readonly queue: CommandQueue
}

export function createAccountConnections(options: AccountConnectionsOptions): AccountConnections {
  const { states, onUnused } = options
  const attempts = createAttempts()
  let isRetired = false
  let isClosed = false
  const commands = createLane()
  const downloads = createLane()
  const lanes = [commands, downloads]
  /** Those that watch, also while they are being opened. */
  const watching = new Set<ImapFlow | AbortSignal>()

  async function open(signal: AbortSignal): Promise<ImapFlow> {
    attempts.check()
    states.connecting()
    try {
      const client = await options.open(signal)
      if (!signal.aborted && !isRetired) await states.connected()
      return client
    } catch (error) {
      if (signal.aborted) throw connectionClosing()
      if (!(error instanceof ConnectError)) throw error
      const rejection = attempts.failed(error.state, error.error.response)
      if (!isRetired) await states.failed(error)
      throw rejection
    }
  }

  function createLane(): Lane {
    let idleSince = 0
    const client = createSharedClient({
      open,
      onLost(openMs) {
        const isUseful = !queue.isBusy() && performance.now() - idleSince > USEFUL_MS
        if (isUseful) attempts.succeeded()
        else attempts.lost(openMs)
        if (!isRetired) states.lost()
        endIfUnused()
      },
      onIdle() {
        attempts.succeeded()
        endIfUnused()
      }
    })
    const queue = createCommandQueue(() => {
      idleSince = performance.now()
      if (isRetired) void client.end()
      else client.release()
      endIfUnused()
    })
    return { client, queue }
  }

  function endIfUnused(): void {
    const isUsed = lanes.some(({ client, queue }) => queue.isBusy() || client.current())
    if (!isUsed && watching.size === 0) onUnused()
  }

  async function watch(signal: AbortSignal, onLine: (line: string) => void): Promise<ImapFlow> {
    attempts.check()
    watching.add(signal)
    try {
      const client = await options.open(signal, onLine)
      watchFor(client)
      return client
    } catch (error) {
      if (error instanceof ConnectError && !signal.aborted) {
        attempts.failed(error.state, error.error.response)
      }
      throw error
    } finally {
      watching.delete(signal)
      endIfUnused()
    }
  }

  /** Until the server closes the connection, or we do. */
  function watchFor(client: ImapFlow): void {
    const openedAt = performance.now()
    watching.add(client)
    client.once('close', () => {
      watching.delete(client)
      if (!isClosed && !isRetired) attempts.lost(performance.now() - openedAt)
      endIfUnused()
    })
    if (isClosed || isRetired) client.close()
  }

  function closeWatching(): void {
    for (const one of watching) if (!(one instanceof AbortSignal)) one.close()
  }

  async function runOn<T>(client: ImapFlow, command: (client: ImapFlow) => Promise<T>): Promise<T> {
    let serverError: unknown
    const remember = (error: unknown) => {
      serverError = error
    }
    client.once('error', remember)
    try {
      return await command(client)
    } catch (error) {
      if (isClosed) throw connectionClosing()
      throw describeCommandError(error, serverError, client.usable) ?? error
    } finally {
      client.off('error', remember)
    }
  }

  function closeAll(): void {
    isClosed = true
    for (const { queue } of lanes) queue.clear(connectionClosing())
  }

  return {
    run(commandOptions, command) {
      const lane = commandOptions.isDownload === true ? downloads : commands
      let isAbandoned = false
      return lane.queue.run(commandOptions, {
        async start() {
          const client = await lane.client.get()
          if (isAbandoned) throw new CommandTimeout()
          return runOn(client, command)
        },
        abandon() {
          isAbandoned = true
        },
        interrupt() {
          // A connection that is being opened is left to the commands that follow.
          lane.client.current()?.close()
        },
        progress: () => lane.client.current()?.stats().received ?? 0
      })
    },
    watch,
    waitMs: attempts.waitMs,
    count: () =>
      lanes.filter(({ client }) => client.current() !== undefined).length + watching.size,
    isClean: attempts.isClean,
    closeIdle() {
      for (const { client, queue } of lanes) if (!queue.isBusy()) void client.end()
    },
    close() {
      closeAll()
      closeWatching()
      for (const { client } of lanes) client.close()
    },
    retire() {
      isRetired = true
      closeWatching()
      this.closeIdle()
      endIfUnused()
    },
    async end() {
      closeAll()
      closeWatching()
      await Promise.all(lanes.map(({ client }) => client.end()))
    }
  }
}
