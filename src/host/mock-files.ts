import type { Configuration } from './configuration-reader.ts'

/** File names as they were given: settings of the kind `list` are split at commas. */
export interface MockFiles {
  documents: readonly string[]
  /** By default the value of the configuration. */
  overlay?: readonly string[] | undefined
  /** By default the value of the configuration. */
  report?: readonly string[] | undefined
}

export function withFiles(
  configuration: Configuration,
  { documents, overlay, report }: MockFiles
): Configuration {
  const mock = {
    ...configuration.options.mock,
    documents,
    ...(overlay === undefined ? {} : { overlay }),
    ...(report === undefined ? {} : { report })
  }
  return { ...configuration, options: { ...configuration.options, mock } }
}
