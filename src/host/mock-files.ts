import type { Configuration } from './configuration-reader.ts'

/** File names as they were given: settings of the kind `list` are split at commas. */
export interface MockFiles {
  documents: readonly string[]
  /** By default the value of the configuration. */
  overlay?: readonly string[] | undefined
}

export function withFiles(
  configuration: Configuration,
  { documents, overlay }: MockFiles
): Configuration {
  const given = overlay === undefined ? { documents } : { documents, overlay }
  const mock = { ...configuration.options.mock, ...given }
  return { ...configuration, options: { ...configuration.options, mock } }
}
