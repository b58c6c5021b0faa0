import type { Answer, Outcome } from '../answer.ts'
import type { Call } from '../call.ts'

/** One thing that can go wrong, as it is written, told and done. */
export interface Scenario<Reading = unknown> {
  readonly name: string
  /** How it is written, arguments included. */
  readonly usage: string
  readonly about: string
  /** A request that shows it: method, path and perhaps a body. */
  readonly example: string
  /** What the arguments mean; undefined when they mean nothing. */
  readonly read: (args: readonly string[]) => Reading | undefined
  /** Before the endpoint is asked: it may wait, or answer instead of it. */
  readonly before?: (call: Call, reading: Reading) => Promise<Outcome | undefined>
  /** Once there is an answer: changes it on its way out. */
  readonly after?: (call: Call, answer: Answer, reading: Reading) => Answer
}

/** Endpoints ask a call whether this scenario is wanted, and get its reading with its type. */
export function defineScenario<Reading>(scenario: Scenario<Reading>): Scenario<Reading> {
  return Object.freeze(scenario)
}

/** For scenarios that take no arguments. */
export function readNothing(args: readonly string[]): true | undefined {
  return args.length === 0 ? true : undefined
}

/** One whole number, or the default. */
export function readWhole(
  standard: number,
  least: number,
  most: number
): (args: readonly string[]) => number | undefined {
  return (args) => {
    if (args.length === 0) return standard
    return args.length === 1 ? wholeOf(args[0], least, most) : undefined
  }
}

export function wholeOf(text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined || !/^\d{1,9}$/.test(text)) return undefined
  const number = Number(text)
  return number >= least && number <= most ? number : undefined
}
