import type { Contender } from './contender.ts'
import type { Load } from './load.ts'
import type { Engine } from './storage.ts'

/** What a benchmark measures of nonet: declared once, for ordinary runs and for `--against`. */
export interface Cases {
  servers: readonly ServerCase[]
  starts?: readonly StartCase[]
  /** What differs from the ordinary run. */
  note?: string
}

/** A nonet that stays up while its rows are measured. */
export interface ServerCase {
  /** The variant; empty if the benchmark has only one. */
  variant: string
  /** Undefined if it runs with `--ephemeral`. */
  engine?: Engine
  start: (environment: Environment) => Promise<Contender>
  /** Runs once, before the first row. */
  prepare?: (url: string) => Promise<void>
  rows: readonly Row[]
}

export interface Environment {
  /** Folder of the nonet that is started. */
  checkout: string
  /** For files that the start needs; removed afterwards. */
  folder: string
  storageFlags: readonly string[]
}

export interface Row {
  name: string
  /** A function if something has to be stored or declared first; called once per server. */
  load: Load | ((url: string) => Promise<Load>)
  /** Runs before every burst; what it returns runs after it. */
  surround?: (url: string) => Promise<() => void>
}

/** A process that is started for every measurement. */
export interface StartCase {
  name: string
  figures: readonly string[]
  /** CPU microseconds, one number per figure. */
  measure: (environment: Environment) => Promise<number[]>
}

export async function resolveLoad({ load }: Row, url: string): Promise<Load> {
  return typeof load === 'function' ? load(url) : load
}
