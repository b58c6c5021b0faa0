import type { Mounted, Service } from '../kernel/service.ts'

export interface ConsoleService {
  service: Service
  mounted: Mounted
  url: string
}
