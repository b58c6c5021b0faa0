import type { Configuration } from './configuration-reader.ts'

/** Files as they are named: a list among the settings is cut at its commas. */
export interface MockFiles {
  documents: readonly string[]
  /** What the configuration says, unless told. */
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
