import type { Scenario } from '../pipeline/request-context.ts'

/** Keeps the type of the parsed arguments, which `use` returns. */
export function defineScenario<Reading>(scenario: Scenario<Reading>): Scenario<Reading> {
  return Object.freeze(scenario)
}

/** For scenarios without arguments. */
export function readNothing(args: readonly string[]): true | undefined {
  return args.length === 0 ? true : undefined
}

/** One optional whole number with a default. */
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
