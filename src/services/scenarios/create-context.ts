import { randomBytes } from 'node:crypto'
import { createChangeStreams } from '../../kernel/change-streams.ts'
import { createNotifications } from '../../kernel/database/notifications.ts'
import { UserError } from '../../kernel/errors.ts'
import { createHeldRequests } from '../../kernel/held-requests.ts'
import type { Kernel } from '../../kernel/service.ts'
import { createSecrets } from './api/auth/secrets.ts'
import { createSigning } from './api/auth/signing.ts'
import { createBudgets } from './api/upload/budget.ts'
import type { ScenarioContext } from './context.ts'
import { createResponseCache } from './http/response-cache.ts'
import { createJournal } from './pipeline/journal.ts'
import { createParkedRequests } from './pipeline/parked-requests.ts'
import { createPublicCounters } from './pipeline/public-counters.ts'
import { merge } from './scenario/selection.ts'
import type { ScenarioOptions } from './settings.ts'
import { scenarioStore } from './store/store.ts'
import { createPupils } from './workspace/pupils.ts'
import { createWorkspaces } from './workspace/workspaces.ts'

/** Number of uploads of maximum size that may be in memory at the same time. */
const UPLOADS_AT_ONCE = 8
/** Further downloads are read from the database in parts. */
const DOWNLOADS_AT_ONCE = 2
const KEY_BYTES = 32

export function createContext(kernel: Kernel, options: ScenarioOptions): ScenarioContext {
  const { database, now, baseUrl } = kernel
  if (options.scenario !== undefined) checkScenario(options.scenario)
  const notifications = createNotifications(database, (ws) => store.lastEvents(ws))
  const store = scenarioStore(database, options, notifications.notify)
  const workspaces = createWorkspaces(store, options, now)
  return {
    kernel,
    options,
    store,
    held: createParkedRequests(createHeldRequests(options.maxHeld, kernel.held), kernel.clientIp),
    notifications,
    openBudget: createBudgets(UPLOADS_AT_ONCE * options.maxUploadBytes),
    openDownloadBudget: createBudgets(DOWNLOADS_AT_ONCE * options.maxUploadBytes),
    publicCounters: createPublicCounters(now),
    workspaces,
    pupils: createPupils(store, workspaces),
    live: createChangeStreams(kernel),
    journal: createJournal(store, ({ message }) => kernel.warn(`journal write failed: ${message}`)),
    secrets: createSecrets(store, options.seed),
    signing: createSigning(store, options, () => randomBytes(KEY_BYTES), now),
    ready: createResponseCache(baseUrl, options.scenario === undefined)
  }
}

/** Throws if the default scenario is invalid, because every request would be rejected. */
function checkScenario(spec: string): void {
  try {
    merge([spec])
  } catch (cause) {
    const { message } = cause as Error
    throw new UserError(`--scenarios-scenario ${spec}: ${message}`, { cause })
  }
}
