import type { IncomingMessage } from 'node:http'
import type { Frame } from '../kernel/page.ts'
import type { AccessOptions } from './access.ts'
import type { ConsoleService } from './mounted-service.ts'
import type { ProcessFacts } from './process-facts.ts'

export interface ConsoleOptions extends AccessOptions {
  metrics: () => string
  facts: ProcessFacts
  services: () => readonly ConsoleService[]
  publicUrl: (service: string) => string | undefined
  /** Why requests of a service cannot be handled at the moment; undefined if all can. */
  problem: () => Promise<string | undefined>
  reset: (service?: string) => Promise<void>
  /** What the top bar of the page for this request shows. */
  frame: (request: IncomingMessage) => Frame
}
