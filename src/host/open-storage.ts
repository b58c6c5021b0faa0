import type { Database } from '../kernel/database/database.ts'
import type { Service } from '../kernel/service.ts'
import type { Configuration } from './configuration-reader.ts'
import type { DataFolder } from './data-folder.ts'

interface StorageContext {
  configuration: Configuration
  folder: DataFolder
  suffix: string | undefined
  reporter: { warn: (text: string) => void }
}

/** The database of a service; its modules are loaded only if the service needs them. */
export async function openStorage(
  { configuration, folder, suffix, reporter }: StorageContext,
  service: Service
): Promise<Database | undefined> {
  if (service.migrations === undefined && configuration.database === undefined) return undefined
  const options = configuration.options[service.name] ?? {}
  if (service.needsDatabase?.(options, configuration.ephemeral) === false) return undefined
  const { openServiceDatabase, databaseLocation } = await import('./storage.ts')
  const location = databaseLocation(service.name, { ...configuration, folder: folder.path, suffix })
  const reserve = location.engine === 'sqlite' ? folder.reserve() : undefined
  return openServiceDatabase(service, location, { reserve, warn: reporter.warn })
}
