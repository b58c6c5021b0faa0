import type { Notifications } from '../../kernel/database/notifications.ts'
import type { Kernel } from '../../kernel/service.ts'
import type { Secrets } from './auth/secrets.ts'
import type { Signing } from './auth/signing.ts'
import type { ParkedRequests } from './held.ts'
import type { Journal } from './journal.ts'
import type { PublicCounters } from './public-counters.ts'
import type { ResponseCache } from './ready.ts'
import type { ScenarioOptions } from './settings.ts'
import type { ScenarioStore } from './store/store.ts'
import type { Budget } from './upload/budget.ts'
import type { Workspaces } from './workspace/workspaces.ts'

/** What endpoints and scenarios work with. */
export interface ScenarioContext {
  readonly kernel: Kernel
  readonly options: ScenarioOptions
  readonly store: ScenarioStore
  readonly held: ParkedRequests
  /** By workspace: something happened there. */
  readonly notifications: Notifications
  /** Memory for files on their way into a workspace. */
  readonly openBudget: () => Budget
  readonly publicCounters: PublicCounters
  readonly workspaces: Workspaces
  readonly journal: Journal
  readonly secrets: Secrets
  readonly signing: Signing
  readonly ready: ResponseCache
}
