import type { ScenarioContext } from '../context.ts'
import type { Workspace } from './workspace.ts'

/** Resets the records to the samples and the clock to its initial state. */
export async function resetWorkspace(
  { journal, store }: ScenarioContext,
  { id, options }: Workspace
): Promise<void> {
  // Entries from before the reset must not be stored after it.
  await journal.flush()
  const frozen = options.now === undefined ? null : Date.parse(options.now)
  await store.resetWorkspace(id, frozen)
}
