import type { Configuration } from './configuration-reader.ts'

/** Documents as they are named: a list among the settings is cut at its commas. */
export function withDocuments(
  configuration: Configuration,
  documents: readonly string[]
): Configuration {
  const mock = { ...configuration.options.mock, documents }
  return { ...configuration, options: { ...configuration.options, mock } }
}
