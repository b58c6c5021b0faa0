import type { Plugin } from 'graphql-yoga'
import { isDeeperThan } from '../../../kernel/json.ts'
import { tooMuch } from './errors.ts'

/** Maximum depth below the `variables` or `extensions` object. */
const MAX_DEPTH = 50

/** Limits the depth of `variables` and `extensions`, which are processed recursively later. */
export function createDepthOfValues(): Plugin {
  return {
    onParams({ params }) {
      // An entry of a batch can be any JSON value; invalid entries are rejected after this hook.
      const given = params as typeof params | null
      rejectDeep('variables', given?.variables)
      rejectDeep('extensions', given?.extensions)
    }
  }
}

function rejectDeep(name: string, value: unknown): void {
  if (isDeeperThan(value, MAX_DEPTH + 1)) {
    throw tooMuch(`The ${name} are nested too deeply; at most ${MAX_DEPTH} levels are allowed`)
  }
}
