import type { ScenarioContext } from '../context.ts'
import type { Workspace } from './workspace.ts'

/** Back to the samples, and the clock to where it stood when the workspace was made. */
export async function resetWorkspace(
  { journal, store }: ScenarioContext,
  { id, options }: Workspace
): Promise<void> {
  // What was noted before must not turn up behind.
  await journal.flush()
  const frozen = options.now === undefined ? null : Date.parse(options.now)
  await store.resetWorkspace(id, frozen)
}
