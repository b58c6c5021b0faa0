import { ScenarioInvalid, ScenarioUnknown, withDetails } from '../contract.ts'
import type { ActiveScenario, ActiveScenarios } from '../pipeline/request-context.ts'
import { parseSpec } from './grammar.ts'
import { findScenario, SCENARIO_NAMES } from './registry.ts'

export const NO_SELECTION: ActiveScenarios = new Map()

/** Removes the scenarios of sources with lower priority. */
const NONE = 'none'

/** Merges specs in ascending priority; for each name, the last one is used. */
export function merge(specs: readonly (string | undefined)[]): ActiveScenarios {
  const selection = new Map<string, ActiveScenario>()
  for (const spec of specs) {
    if (spec === undefined) continue
    const written = parseSpec(spec)
    if (written === undefined) throw unknown()
    if (written.some(({ name }) => name === NONE)) selection.clear()
    for (const { name, args } of written) {
      if (name !== NONE) selection.set(name, select(name, args))
    }
  }
  return selection
}

function select(name: string, args: readonly string[]): ActiveScenario {
  const scenario = findScenario(name)
  if (scenario === undefined) throw unknown()
  const reading = scenario.read(args)
  if (reading !== undefined) return { scenario, reading }
  const { usage } = scenario
  throw withDetails(new ScenarioInvalid(), { more: { scenario: name, usage } })
}

function unknown() {
  return withDetails(new ScenarioUnknown(), { more: { known: SCENARIO_NAMES } })
}
