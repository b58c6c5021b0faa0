import type { Plugin } from 'graphql-yoga'
import { isDeeperThan } from '../../../kernel/json.ts'
import { tooMuch } from './errors.ts'

/** Below the object of all variables or extensions. */
const MAX_DEPTH = 50

/** What comes beside the document is walked by recursion later, so its depth is checked first. */
export function createDepthOfValues(): Plugin {
  return {
    onParams({ params }) {
      // In a batch it may be anything; that is refused right after.
      const given = params as typeof params | null
      refuseDeep('variables', given?.variables)
      refuseDeep('extensions', given?.extensions)
    }
  }
}

function refuseDeep(name: string, value: unknown): void {
  if (isDeeperThan(value, MAX_DEPTH + 1)) {
    throw tooMuch(`The ${name} are nested too deeply; at most ${MAX_DEPTH} levels are allowed`)
  }
}
