import type { Mounted, Service } from '../kernel/service.ts'

export interface ConsoleTenant {
  service: Service
  mounted: Mounted
  url: string
}
