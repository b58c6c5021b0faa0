import type { Credentials } from '../kernel/credentials/credentials.ts'
import type { Mounted, Service } from '../kernel/service.ts'

export interface ConsoleService {
  service: Service
  mounted: Mounted
  /** Undefined if the service has no tokens. */
  credentials: Credentials | undefined
  url: string
  /** Ports that are not for HTTP, which listen. */
  ports: readonly ConsolePort[]
}

export interface ConsolePort {
  /** As `--port` names it. */
  name: string
  /** Offset of its usual port from the console's. */
  offset: number
  url: string
  summary: string
}
