import type { Contender } from './contender.ts'
import type { Load } from './load.ts'
import type { Engine } from './storage.ts'

/** The measurements of nonet in one benchmark, for ordinary runs and for `--against`. */
export interface Cases {
  servers: readonly ServerCase[]
  starts?: readonly StartCase[]
  /** Differences from the ordinary run. */
  note?: string
}

/** A nonet process that runs while its rows are measured. */
export interface ServerCase {
  /** Name of the variant; empty if the benchmark has only one. */
  variant: string
  /** Undefined if the process runs with `--ephemeral`. */
  engine?: Engine
  start: (environment: Environment) => Promise<Contender>
  /** Runs once, before the first row. */
  prepare?: (url: string) => Promise<void>
  rows: readonly Row[]
}

export interface Environment {
  /** Folder of the checkout of nonet that is started. */
  checkout: string
  /** Folder for files that the start needs; removed afterwards. */
  folder: string
  storageFlags: readonly string[]
}

export interface Row {
  name: string
  /** A function if something has to be stored or declared first; called once per server. */
  load: Load | ((url: string) => Promise<Load>)
  /** Runs before every burst; the function it returns runs after the burst. */
  surround?: (url: string) => Promise<() => void>
}

/** A process that is started for every measurement. */
export interface StartCase {
  name: string
  figures: readonly string[]
  /** Returns CPU microseconds, one number per figure. */
  measure: (environment: Environment) => Promise<number[]>
}

export async function resolveLoad({ load }: Row, url: string): Promise<Load> {
  return typeof load === 'function' ? load(url) : load
}
