import { accessSync, constants, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Availability, createAvailability } from './availability.ts'
import type { TableAccess } from './database.ts'
import { MIGRATIONS_TABLE } from './migrate.ts'
import { isServerError } from './postgres-refusal.ts'
import { queryAutocommit } from './transaction.ts'

const READ_ONE = `select 1 from ${MIGRATIONS_TABLE} limit 1`

/** The reasons contain no host, path or user, because probes need no token. */
export function checkServer({ read }: TableAccess): Availability {
  return createAvailability(async () => {
    try {
      await read(() => queryAutocommit(READ_ONE))
      return undefined
    } catch (error) {
      return serverReason((error as Error).cause ?? error)
    }
  }, 'PostgreSQL does not respond')
}

function serverReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (isServerError(error)) return `PostgreSQL rejects requests (SQLSTATE ${code})`
  if (code !== undefined) return `PostgreSQL is not reachable (${code})`
  return /timeout/i.test(message)
    ? 'PostgreSQL does not respond'
    : 'the connection to PostgreSQL was lost'
}

/**
 * A file that was deleted or replaced stays open, and what is written to it is lost. The file system
 * is asked synchronously, as SQLite does: with 120 lists being sent on a slow machine, three turns of
 * the event loop took longer than a probe may wait, and a database that worked was reported.
 */
export async function checkFile(file: string, { read }: TableAccess): Promise<Availability> {
  const name = basename(file)
  const opened = await stat(file)
  return createAvailability(async () => {
    try {
      const { ino, dev } = statSync(file)
      if (ino !== opened.ino || dev !== opened.dev) return `${name} was replaced while it was open`
      accessSync(file, constants.R_OK | constants.W_OK)
      await read(() => queryAutocommit(READ_ONE))
      return undefined
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return code === 'ENOENT' ? `${name} is gone` : `${name} cannot be used (${code})`
    }
  }, `${name} cannot be read`)
}
