import type { Finding } from '../../../kernel/service.ts'
import type { Collection } from '../state/collection.ts'
import { findCollection } from '../state/find-collection.ts'
import type { Rule } from './rule.ts'

/** Warnings for collections that rules read but that do not exist; without state none exists. */
export function collectionFindings(
  rules: readonly Rule[],
  collections: readonly Collection[] | undefined
): Finding[] {
  const known = collections?.map(({ key }) => key.slice(1)).join(', ') || 'none'
  return rules.flatMap(({ where, collections: named }) =>
    named
      .filter((name) => findCollection(collections ?? [], name)?.parents === undefined)
      .map((name): Finding => {
        const text =
          collections === undefined
            ? `$state.${name} is empty: the mock runs without --state`
            : `$state.${name} is empty: unknown collection; known collections: ${known}`
        return { level: 'warning', where, text }
      })
  )
}
