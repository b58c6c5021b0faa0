import type { ParseArgsConfig } from 'node:util'

export type Flags = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

export interface Invocation {
  positionals: readonly string[]
  flags: Flags
  /** Flags with their values in the order given, for flags whose order matters. */
  orderedFlags: readonly { flag: string; value: string }[]
  /** Arguments after `--`; undefined if there is no `--`. */
  rest: readonly string[] | undefined
}

export interface Command {
  name: string
  /** One line for `nonet --help`. */
  summary: string
  usage: string
  examples: readonly string[]
  /** Maximum number of positional arguments. */
  arguments: number
  flags: NonNullable<ParseArgsConfig['options']>
  /** One line per flag, in the order of `--help`. */
  flagHelp: Readonly<Record<string, string>>
  /** Resolves to the exit code. */
  run: (invocation: Invocation) => Promise<number>
}

/** The command line is invalid: the message is printed and the exit code is 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}
