import type { Credentials } from '../kernel/credentials/credentials.ts'
import type { Mounted, Service } from '../kernel/service.ts'

export interface ConsoleService {
  service: Service
  mounted: Mounted
  /** Undefined if the service has no tokens. */
  credentials: Credentials | undefined
  url: string
}
