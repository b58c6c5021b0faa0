import { before } from 'node:test'
import { pathToFileURL } from 'node:url'

/**
 * Imports test files into this process. No test starts before the last import: the runner calls the
 * `after` hooks of the process whenever no known test is left, on a busy machine between two imports
 * as well, and what they close is then missing in later tests.
 */
export async function importTestFiles(files: readonly string[]): Promise<void> {
  const { promise: imported, resolve } = Promise.withResolvers<void>()
  before(() => imported)
  for (const file of files) await import(pathToFileURL(file).href)
  resolve()
}
