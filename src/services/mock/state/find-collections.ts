import { readAllServed } from '../check.ts'
import type { MockOptions } from '../settings.ts'
import { requireStateForSeed } from './idle-seed.ts'

/**
 * One line for each collection that `--state` stores; throws a `UserError` if the seed data is
 * invalid.
 */
export async function findCollections(options: MockOptions): Promise<string[]> {
  requireStateForSeed(options)
  if (!options.state) return []
  const { describeCollections } = await import('./describe-collections.ts')
  const { seedCollections } = await import('./seeded-collections.ts')
  const apis = await readAllServed(options)
  const { seedData, ignoreExamples } = options
  const { collections } = await seedCollections(apis, { seedData, ignoreExamples })
  return describeCollections(collections)
}
