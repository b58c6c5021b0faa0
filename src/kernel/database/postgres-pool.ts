import pg from 'pg'
import { createConnectBackoff } from './connect-backoff.ts'
import type { WriteOptions } from './database.ts'
import { StorageUnavailable } from './errors.ts'
import {
  ignoreConnectionLoss,
  isConnectionTimeout,
  isSerializationFailure,
  PostgresClient,
  type PostgresLocation,
  type Sockets,
  translatePostgresError,
  wasPaused,
  writerOptions,
  writerSetup
} from './postgres-connection.ts'
import { timeoutsOf } from './postgres-url.ts'
import { runAsync } from './run-transaction.ts'
import type { Statement } from './statement-text.ts'
import type { Rows, SqlStep, Transaction } from './transaction.ts'

const MAX_CONNECTIONS = 8
const MAX_ATTEMPTS = 20
const LONGEST_PAUSE_MS = 50

export interface WritePool {
  /** Runs the steps in one transaction; retries after a conflict with another transaction. */
  run: <T>(transaction: () => Transaction<T>, options?: WriteOptions) => Promise<T>
  close: () => Promise<void>
}

export function createWritePool(
  location: PostgresLocation,
  sockets: Sockets,
  statementFor: (sql: string) => Statement,
  publish: (topic: string) => void
): WritePool {
  /** Connections and transactions that the server has answered, with or without an error. */
  let answered = 0
  const pool = new pg.Pool({
    ...writerOptions(location, sockets),
    Client: PostgresClient,
    max: MAX_CONNECTIONS,
    onConnect: async (client) => {
      await client.query(writerSetup(location))
      answered += 1
    }
  })
  pool.on('error', ignoreConnectionLoss)
  const pass = createConnectBackoff()
  const { connectMs, writeMs } = timeoutsOf(location.url)
  /** Retries run one after the other, so that they do not conflict with each other. */
  let turn: Promise<unknown> = Promise.resolve()

  /**
   * Waits for a free connection for as long as the server still answers others, and again after a
   * pause of this process.
   */
  async function takeClient(): Promise<pg.PoolClient> {
    const deadline = performance.now() + writeMs
    for (;;) {
      const before = answered
      const began = performance.now()
      try {
        return await pool.connect()
      } catch (error) {
        if (!isConnectionTimeout(error)) throw error
        if (wasPaused(began, connectMs)) continue
        // After a shorter pause the timers run before the responses are read, too.
        await readResponses()
        if (answered === before || performance.now() > deadline) throw error
      }
    }
  }

  async function attempt<T>(
    generator: () => Transaction<T>,
    options: WriteOptions
  ): Promise<{ value: T } | undefined> {
    const client = await pass(takeClient)
    const transaction = openTransaction(client, statementFor, beginOf(options))
    const topics = new Set<string>()
    let value: T
    try {
      value = await runAsync(generator(), transaction.run, (topic) => topics.add(topic))
      await transaction.commit()
    } catch (error) {
      const usable = await transaction.undo()
      if (usable) answered += 1
      client.release(!usable)
      if (transaction.conflict) return undefined
      throw error
    }
    answered += 1
    client.release()
    for (const topic of topics) publish(topic)
    return { value }
  }

  async function repeat<T>(transaction: () => Transaction<T>, options: WriteOptions): Promise<T> {
    for (let tried = 1; tried < MAX_ATTEMPTS; tried++) {
      const done = await attempt(transaction, options)
      if (done !== undefined) return done.value
      await pause(tried)
    }
    throw new StorageUnavailable()
  }

  return {
    async run(transaction, options = {}) {
      const done = await attempt(transaction, options)
      if (done !== undefined) return done.value
      const mine = turn.then(() => repeat(transaction, options))
      turn = mine.catch(ignoreConnectionLoss)
      return mine
    },
    close: () => pool.end()
  }
}

/** A full turn of the event loop: sockets are read between the two callbacks. */
async function readResponses(): Promise<void> {
  await new Promise(setImmediate)
  await new Promise(setImmediate)
}

/** Random, so that processes that conflicted do not retry at the same time. */
function pause(tried: number): Promise<void> {
  const longest = Math.min(2 ** tried, LONGEST_PAUSE_MS)
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest))
}

function beginOf({ readsCommitted = false, maxIdleMs }: WriteOptions): string {
  const begin = readsCommitted ? 'begin isolation level read committed' : 'begin'
  if (maxIdleMs === undefined) return begin
  return `${begin}; set local idle_in_transaction_session_timeout to ${maxIdleMs}`
}

interface OpenTransaction {
  run: (step: SqlStep) => Promise<Rows>
  commit: () => Promise<void>
  /** Resolves to false if the connection cannot be used any more. */
  undo: () => Promise<boolean>
  /** Whether a conflict with another transaction caused the error. */
  readonly conflict: boolean
}

function openTransaction(
  client: pg.PoolClient,
  statementFor: (sql: string) => Statement,
  begin: string
): OpenTransaction {
  let begun = false
  let conflict = false
  let lost = false

  async function ask<T>(response: Promise<T>): Promise<T> {
    try {
      return await response
    } catch (error) {
      conflict ||= isSerializationFailure(error)
      lost ||= !(error instanceof pg.DatabaseError)
      throw translatePostgresError(error)
    }
  }

  return {
    async run({ sql, args, alone }) {
      const statement = { ...statementFor(sql), values: [...args] }
      if (begun || alone === true) return (await ask(client.query(statement))).rows
      begun = true
      // Both statements are sent without waiting in between.
      const both = Promise.all([client.query(begin), client.query(statement)])
      return (await ask(both))[1].rows
    },
    async commit() {
      if (begun) await ask(client.query('commit'))
    },
    async undo() {
      // A rollback on a silent connection would wait for the time-out once more.
      if (lost) return false
      if (!begun) return true
      return client.query('rollback').then(
        () => true,
        () => false
      )
    },
    get conflict() {
      return conflict
    }
  }
}
