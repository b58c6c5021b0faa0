import type { Database } from '../kernel/database/database.ts'
import type { RunningOutbox } from '../kernel/outbox/outbox.ts'
import type { Service } from '../kernel/service.ts'
import type { Access } from './access.ts'

interface OutboxContext {
  access: Access
  reporter: { warn: (text: string) => void }
}

/** The outbox of a service; its modules are loaded only if the service has one. */
export async function openOutbox(
  { access, reporter }: OutboxContext,
  { name, outbox }: Service,
  database: Database | undefined
): Promise<RunningOutbox | undefined> {
  if (outbox !== true || database === undefined) return undefined
  const { createOutbox } = await import('../kernel/outbox/outbox.ts')
  return createOutbox(database, {
    now: () => access.now().getTime(),
    warn: (text) => reporter.warn(`${name}: ${text}`)
  })
}
