import type { ProcessFacts } from '../console/process-facts.ts'
import { redactUrl } from '../kernel/database/postgres-url.ts'
import type { Configuration } from './configuration-reader.ts'
import { folderSizeOf } from './folder-size.ts'
import type { Metrics } from './metrics.ts'
import type { Readiness } from './readiness.ts'
import { SERVICE_NAMES } from './service-names.ts'

export interface FactSources {
  configuration: Configuration
  /** Path of the data folder. */
  folder: string
  metrics: Metrics
  readiness: Readiness
  loopback: boolean
  token: string
  lanUrls: (name: string) => readonly string[]
}

export function processFactsOf(sources: FactSources): ProcessFacts {
  const { configuration, folder, metrics, readiness, loopback, token, lanUrls } = sources
  const { services, lan, database, ephemeral } = configuration
  return {
    startedAt: new Date(performance.timeOrigin),
    folder,
    isTemporary: ephemeral,
    database: database && redactUrl(database),
    dataBytes: folderSizeOf(folder),
    activityOf: metrics.activityOf,
    problems: readiness.problems,
    notStarted: SERVICE_NAMES.filter((name) => services.every((service) => service.name !== name)),
    network: { isReachable: !loopback, lan: lan ? { urlsOf: lanUrls, token } : undefined }
  }
}
