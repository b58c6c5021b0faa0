import type { Kernel } from '../../kernel/service.ts'
import type { CountRequest } from './rate-limit.ts'
import type { BoxOptions } from './settings.ts'
import type { BoxStore } from './store/store.ts'

/** What the handlers work with. */
export interface BoxRoom {
  readonly kernel: Kernel
  readonly options: BoxOptions
  readonly store: BoxStore
  readonly countRequest: CountRequest
}
