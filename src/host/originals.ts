import { flagName } from '../kernel/flag-name.ts'
import type { Service } from '../kernel/service.ts'

/** Values that unchanged clients of the replaced services need, by key as in `RawSettings`. */
export type Originals = ReadonlyMap<string, string | number>

export function originalsOf(services: readonly Service[]): Originals {
  return new Map(
    services.flatMap(({ name, settings }) =>
      Object.entries(settings).flatMap(([key, { original }]): [string, string | number][] =>
        original === undefined ? [] : [[`${name}.${key}`, original]]
      )
    )
  )
}

/** The values as flags, separated by commas. */
export function describeOriginals(originals: Originals): string {
  return [...originals].map(([key, value]) => `--${flagName(key)} ${value}`).join(', ')
}
