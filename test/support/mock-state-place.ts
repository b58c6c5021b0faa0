import { join } from 'node:path'
import { ENGINES, temporaryDatabase } from './engines.ts'

export const STATE_KINDS = ['memory', ...ENGINES] as const

/** Options of `start()` that store the state of a mock in a separate location. */
export async function openStatePlace(
  kind: (typeof STATE_KINDS)[number],
  folder: string
): Promise<{ options: { data?: string; database?: string } } & AsyncDisposable> {
  const data = join(folder, 'data')
  if (kind === 'memory') return { options: {}, [Symbol.asyncDispose]: async () => undefined }
  if (kind === 'sqlite') return { options: { data }, [Symbol.asyncDispose]: async () => undefined }
  const database = await temporaryDatabase()
  return {
    options: { data, database: database.url },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]()
  }
}
