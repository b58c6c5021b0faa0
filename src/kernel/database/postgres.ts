import { createConnectBackoff } from './connect-backoff.ts'
import type { TableAccess, WriteOptions } from './database.ts'
import { StorageUnavailable } from './errors.ts'
import { asSingleRowInsert } from './insert-batching.ts'
import { createPostgresSignals } from './postgres-channel.ts'
import {
  ignoreConnectionLoss,
  openClient,
  type PostgresClient,
  type PostgresLocation,
  readerOptions,
  readerSetup,
  type Sockets,
  translatePostgresError
} from './postgres-connection.ts'
import { createInserts } from './postgres-inserts.ts'
import { createPostgresLocks } from './postgres-locks.ts'
import { createWritePool } from './postgres-pool.ts'
import { runAsync } from './run-transaction.ts'
import { createStatementCache, type Statement } from './statement-text.ts'
import type { Rows, SqlStep, Transaction } from './transaction.ts'

/** A server that hangs would delay the end of the process, once for each service. */
const CLOSE_TIMEOUT_MS = 2_000

/** All reads are pipelined on one connection; writes use a pool. */
export function openPostgres(location: PostgresLocation): TableAccess {
  const statementFor = createStatementCache()
  const sockets: Sockets = new Set()
  const reader = createReader(location, sockets, statementFor)
  const channel = createPostgresSignals(location, sockets)
  const pool = createWritePool(location, sockets, statementFor, channel.publish)
  const inserts = createInserts(pool)
  const read: TableAccess['read'] = (transaction) => runAsync(transaction(), reader.run)
  const locks = createPostgresLocks({ location, sockets, channel }, read)
  const running = new Set<Promise<unknown>>()
  let closed = false

  async function write<T>(transaction: () => Transaction<T>, options?: WriteOptions): Promise<T> {
    if (closed) throw new StorageUnavailable()
    const insertion = asSingleRowInsert(transaction())
    const done =
      insertion === undefined ? pool.run(transaction, options) : inserts.add(transaction, insertion)
    running.add(done)
    return (await done.finally(() => running.delete(done))) as T
  }

  return {
    engine: 'postgres',
    channel,
    ...locks,
    read,
    version: undefined,
    write,
    async close() {
      closed = true
      setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, CLOSE_TIMEOUT_MS).unref()
      await Promise.allSettled(running)
      await Promise.all([reader.close(), pool.close(), channel.close()])
    }
  }
}

interface Reader {
  run: (step: SqlStep) => Promise<Rows>
  close: () => Promise<void>
}

function createReader(
  location: PostgresLocation,
  sockets: Sockets,
  statementFor: (sql: string) => Statement
): Reader {
  const pass = createConnectBackoff()
  let current: Promise<PostgresClient> | undefined

  /** Opens a connection; when it is lost, the next read opens another. */
  function open(): Promise<PostgresClient> {
    const opened = pass(() => openClient(readerOptions(location, sockets), readerSetup(location)))
    const forget = () => {
      if (current === opened) current = undefined
    }
    opened.then((client) => client.on('error', forget).on('end', forget), forget)
    return opened
  }

  return {
    async run({ sql, args }) {
      current ??= open()
      const connected = await current
      try {
        return (await connected.query({ ...statementFor(sql), values: [...args] })).rows
      } catch (error) {
        throw translatePostgresError(error)
      }
    },
    async close() {
      await current?.then((connected) => connected.end()).catch(ignoreConnectionLoss)
    }
  }
}
