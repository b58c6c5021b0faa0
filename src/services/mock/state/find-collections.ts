import { readServed } from '../check.ts'

/** What `--state` would keep of these documents, a line each; a wrong seed is a `StartFailure`. */
export async function findCollections(
  documents: readonly string[],
  seedData: string | undefined
): Promise<string[]> {
  const { describeCollections } = await import('./describe-collections.ts')
  const { seedCollections } = await import('./seeded-collections.ts')
  const apis = await Promise.all(documents.map(async (text) => (await readServed(text)).served))
  const { collections } = await seedCollections(apis, { seedData, ignoreExamples: false })
  return describeCollections(collections)
}
