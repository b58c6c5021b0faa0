import type { Credentials } from '../kernel/credentials/credentials.ts'
import type { Database } from '../kernel/database/database.ts'
import type { RunningOutbox } from '../kernel/outbox/outbox.ts'
import type { Service } from '../kernel/service.ts'
import type { openCredentials } from './open-credentials.ts'
import type { openFiles, ServiceFiles } from './open-files.ts'
import type { openOutbox } from './open-outbox.ts'
import type { openSecrets, ServiceSecrets } from './open-secrets.ts'
import { openStorage } from './open-storage.ts'

type StoredContext = Parameters<typeof openStorage>[0] &
  Parameters<typeof openFiles>[0] &
  Parameters<typeof openCredentials>[0] &
  Parameters<typeof openOutbox>[0] &
  Parameters<typeof openSecrets>[0] & {
    /** Called in reverse order. */
    cleanups: (() => Promise<unknown>)[]
  }

/** What a service has stored; each is undefined if it declares none. */
export interface Stored {
  database: Database | undefined
  files: ServiceFiles | undefined
  credentials: Credentials | undefined
  secrets: ServiceSecrets | undefined
  outbox: RunningOutbox | undefined
}

const NOTHING_STORED: Stored = {
  database: undefined,
  files: undefined,
  credentials: undefined,
  secrets: undefined,
  outbox: undefined
}

/** Modules that a service without a database does not need are not loaded for it. */
export async function openStored(context: StoredContext, service: Service): Promise<Stored> {
  const { cleanups } = context
  const database = await openStorage(context, service)
  if (database === undefined) return NOTHING_STORED
  cleanups.push(database.close)
  const { openFiles } = await import('./open-files.ts')
  const { openCredentials } = await import('./open-credentials.ts')
  const { openSecrets } = await import('./open-secrets.ts')
  const { openOutbox } = await import('./open-outbox.ts')
  const files = await openFiles(context, service, database)
  if (files !== undefined) cleanups.push(files.close)
  const credentials = openCredentials(context, service, database)
  if (credentials !== undefined) cleanups.push(credentials.stop)
  const secrets = await openSecrets(context, service, database)
  const outbox = await openOutbox(context, service, database)
  return { database, files, credentials: credentials?.credentials, secrets, outbox }
}
