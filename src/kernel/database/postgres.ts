import pg from 'pg'
import type { Database } from './database.ts'
import { driveSlowly } from './drive.ts'
import { StorageUnavailable } from './failures.ts'
import { createGate } from './gate.ts'
import { insertionOf } from './merge.ts'
import type { Plan, Rows, Step } from './plan.ts'
import {
  fromPostgres,
  ignoreLoss,
  type PostgresPlace,
  readerSetup,
  servingOptions
} from './postgres-connection.ts'
import { createInserts } from './postgres-inserts.ts'
import { createWritePool } from './postgres-pool.ts'
import { createPostgresSignals } from './postgres-signals.ts'
import { createStatements, type Statement } from './statement-text.ts'

/** One connection for all reads, which follow each other without waiting; a pool for writes. */
export function openPostgres(place: PostgresPlace): Database {
  const statementFor = createStatements()
  const reader = createReader(place, statementFor)
  const pool = createWritePool(place, statementFor)
  const inserts = createInserts(pool)
  const signals = createPostgresSignals(place)
  const running = new Set<Promise<unknown>>()
  let closed = false

  async function write<T>(plan: () => Plan<T>): Promise<T> {
    if (closed) throw new StorageUnavailable()
    const insertion = insertionOf(plan())
    const done = insertion === undefined ? pool.run(plan) : inserts.add(plan, insertion)
    running.add(done)
    return (await done.finally(() => running.delete(done))) as T
  }

  return {
    engine: 'postgres',
    signals,
    read: (plan) => driveSlowly(plan(), reader.run),
    write,
    async close() {
      closed = true
      await Promise.allSettled(running)
      await Promise.all([reader.close(), pool.close(), signals.close()])
    }
  }
}

interface Reader {
  run: (step: Step) => Promise<Rows>
  close: () => Promise<void>
}

function createReader(place: PostgresPlace, statementFor: (sql: string) => Statement): Reader {
  const pass = createGate()
  let current: Promise<pg.Client> | undefined

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client(servingOptions(place))
    client.on('error', ignoreLoss)
    await client.connect()
    await client.query(readerSetup(place))
    return client
  }

  /** Until this one breaks; the next read asks for another. */
  function open(): Promise<pg.Client> {
    const opened = pass(connect)
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
        throw fromPostgres(error)
      }
    },
    async close() {
      await current?.then((connected) => connected.end()).catch(ignoreLoss)
    }
  }
}
