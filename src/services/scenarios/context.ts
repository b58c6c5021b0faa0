import type { ChangeStreams } from '../../kernel/change-streams.ts'
import type { Notifications } from '../../kernel/database/notifications.ts'
import type { Kernel } from '../../kernel/service.ts'
import type { Secrets } from './api/auth/secrets.ts'
import type { Signing } from './api/auth/signing.ts'
import type { Budget } from './api/upload/budget.ts'
import type { ResponseCache } from './http/response-cache.ts'
import type { Journal } from './pipeline/journal.ts'
import type { ParkedRequests } from './pipeline/parked-requests.ts'
import type { PublicCounters } from './pipeline/public-counters.ts'
import type { ScenarioOptions } from './settings.ts'
import type { ScenarioStore } from './store/store.ts'
import type { Pupils } from './workspace/pupils.ts'
import type { Workspaces } from './workspace/workspaces.ts'

/** Dependencies of endpoints and scenarios. */
export interface ScenarioContext {
  readonly kernel: Kernel
  readonly options: ScenarioOptions
  readonly store: ScenarioStore
  readonly held: ParkedRequests
  /** Notifications of changes, by workspace. */
  readonly notifications: Notifications
  /** Memory for files that are uploaded to a workspace. */
  readonly openBudget: () => Budget
  /** Memory for files that are downloaded. */
  readonly openDownloadBudget: () => Budget
  readonly publicCounters: PublicCounters
  readonly workspaces: Workspaces
  readonly pupils: Pupils
  /** Pages of the class that show changes at once. */
  readonly live: ChangeStreams
  readonly journal: Journal
  readonly secrets: Secrets
  readonly signing: Signing
  readonly ready: ResponseCache
}
