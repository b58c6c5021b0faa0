import type { Plugin } from 'graphql-yoga'
import { tooMuch } from './failures.ts'

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
  if (isDeeper(value, MAX_DEPTH)) {
    throw tooMuch(`The ${name} are nested too deep; ${MAX_DEPTH} levels are allowed`)
  }
}

/** Level by level, because a call per level is what must not happen. */
export function isDeeper(value: unknown, limit: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= limit; depth++) {
    level = level.filter(isNest).flatMap((one) => Object.values(one))
    if (level.length === 0) return false
  }
  return level.some(isNest)
}

function isNest(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
