import { rm } from 'node:fs/promises'
import type { Database } from '../kernel/database/database.ts'
import type { Mounted, Service } from '../kernel/service.ts'
import type { DataFolder } from './data-folder.ts'
import type { ServiceFiles } from './open-files.ts'
import type { ServiceSecrets } from './open-secrets.ts'

interface ResettableService {
  service: Service
  database: Database | undefined
  files: ServiceFiles | undefined
  secrets: ServiceSecrets | undefined
  mounted: Mounted
}

/** Restores the state of a first start, of the named service or all. */
export async function resetServices(
  services: readonly ResettableService[],
  folder: DataFolder,
  name?: string
): Promise<void> {
  for (const { service, database, files, secrets, mounted } of services) {
    if (name !== undefined && service.name !== name) continue
    if (database !== undefined) {
      const { truncateAll } = await import('../kernel/database/truncate.ts')
      await truncateAll(database)
    }
    await rm(folder.serviceFolder(service.name), { recursive: true, force: true })
    await files?.reset()
    await secrets?.register()
    await mounted.reset?.()
  }
}
