import { createCache } from '../../../kernel/cache.ts'
import { isStorageError } from '../../../kernel/errors.ts'
import { DEFAULT_SEED, WORKSPACE_NAME, WorkspaceInvalid, WorkspaceUnknown } from '../contract.ts'
import type { ScenarioOptions } from '../settings.ts'
import type { ScenarioStore } from '../store/store.ts'
import type { NewWorkspace, WorkspaceRow } from '../store/workspaces.ts'
import type { Rule } from './rules.ts'
import { DEFAULT_OPTIONS, type Workspace, type WorkspaceOptions } from './workspace.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** Maximum delay of the stored time of the last use. */
const TOUCH_AFTER_MS = 60_000
const MAX_PARSED = 500

export interface Workspaces {
  /** Creates the workspace if it does not exist or has expired. */
  open: (id: string) => Promise<Workspace>
  find: (id: string) => Promise<Workspace | undefined>
  /**
   * Undefined if the name, the pupil or the tag is taken. If there are too many workspaces, the least recently used one
   * without a key is removed; throws if all of them have a key or were used in the last minutes.
   */
  create: (workspace: Partial<NewWorkspace> & { id: string }) => Promise<Workspace | undefined>
}

export function createWorkspaces(
  store: ScenarioStore,
  options: ScenarioOptions,
  now: () => Date
): Workspaces {
  const lifetime = options.workspaceHours * HOUR_MS
  const { maxWorkspaces: most, protectedMinutes } = options
  // The stored time of the last use may be late.
  const protectedMs = protectedMinutes === 0 ? 0 : protectedMinutes * MINUTE_MS + TOUCH_AFTER_MS
  const parsed = {
    options: createCache<WorkspaceOptions>(MAX_PARSED),
    rules: createCache<readonly Rule[]>(MAX_PARSED)
  }

  function understand(row: WorkspaceRow): Workspace {
    return {
      id: row.id,
      row,
      options: parsed.options.getOrCreate(row.options, JSON.parse),
      rules: parsed.rules.getOrCreate(row.rules, JSON.parse)
    }
  }

  async function find(id: string): Promise<Workspace | undefined> {
    if (!WORKSPACE_NAME.test(id)) throw new WorkspaceInvalid()
    const row = await store.findWorkspace(id)
    if (row === undefined) return undefined
    const time = now().getTime()
    if (row.used + row.lifetime < time) {
      await store.removeWorkspace(id)
      return undefined
    }
    if (row.used + TOUCH_AFTER_MS < time) await touch(id, time)
    return understand(row)
  }

  /** Reading must work even if writing does not, for example because the disk is full. */
  async function touch(id: string, time: number): Promise<void> {
    try {
      await store.touchWorkspace(id, time)
    } catch (error) {
      if (!isStorageError(error)) throw error
    }
  }

  async function create(workspace: Partial<NewWorkspace> & { id: string }) {
    if (!WORKSPACE_NAME.test(workspace.id)) throw new WorkspaceInvalid()
    const time = now().getTime()
    const added = await store.addWorkspace(
      {
        seed: DEFAULT_SEED,
        options: JSON.stringify(DEFAULT_OPTIONS),
        frozen: null,
        secret: null,
        created: time,
        lifetime,
        pupil: null,
        tag: null,
        ...workspace
      },
      { most, time, protectedMs }
    )
    return added ? find(workspace.id) : undefined
  }

  return {
    find,
    create,
    async open(id) {
      const found = (await find(id)) ?? (await create({ id })) ?? (await find(id))
      // The workspace was removed in the meantime.
      if (found === undefined) throw new WorkspaceUnknown()
      return found
    }
  }
}
