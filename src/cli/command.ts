import type { ParseArgsConfig } from 'node:util'

export type Flags = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

export interface Invocation {
  positionals: readonly string[]
  flags: Flags
  /** Flags with a value in the order they were typed, for those whose order counts. */
  orderedFlags: readonly { flag: string; value: string }[]
  /** What follows `--`, when the command takes it. */
  rest: readonly string[] | undefined
}

export interface Command {
  name: string
  /** One line for `nonet --help`. */
  summary: string
  usage: string
  examples: readonly string[]
  /** How many words besides flags it takes at most. */
  arguments: number
  flags: NonNullable<ParseArgsConfig['options']>
  /** One line per flag, in the order of `--help`. */
  flagHelp: Readonly<Record<string, string>>
  /** Resolves to the exit code. */
  run: (invocation: Invocation) => Promise<number>
}

/** A command line that cannot be meant: one line, exit code 2. */
export class UsageError extends Error {
  override name = 'UsageFailure'
}
