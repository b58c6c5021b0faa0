import type { BoxContext } from '../context.ts'
import type { BoxState } from '../store/changes.ts'
import { type BoxIndex, rulesOf } from '../store/rules.ts'
import type { RecordScope } from '../store/scan.ts'

/** A box as a reader finds it. */
export interface ResolvedBox {
  readonly scope: RecordScope
  readonly indexes: readonly BoxIndex[]
  /** Undefined of an unknown one, which is empty, and of a private one to strangers. */
  readonly state: BoxState | undefined
}

/** No box has this number. */
const UNKNOWN = 0

export async function viewBox(
  { store, kernel }: BoxContext,
  box: string,
  collection: string | undefined,
  key: string | undefined
): Promise<ResolvedBox> {
  const time = kernel.now().getTime()
  return viewState(await store.seeState(box, key, time), collection, time)
}

/** The same for the operator, who sees every box. */
export async function viewFreely({ store, kernel }: BoxContext, box: string): Promise<ResolvedBox> {
  const time = kernel.now().getTime()
  return viewState(await store.boxState(box, time), undefined, time)
}

function viewState(
  state: BoxState | undefined,
  collection: string | undefined,
  time: number
): ResolvedBox {
  if (state === undefined) {
    return { scope: { box: UNKNOWN, collection, visibleAt: undefined }, indexes: [], state }
  }
  const visibleAt = state.expired ? time : undefined
  const { indexes = [] } = rulesOf(state.settings)
  return {
    scope: { box: state.pk, collection, visibleAt },
    indexes: indexes.filter(({ ready }) => ready),
    state
  }
}

/** The same for the same list of an unchanged box; undefined while that cannot be said. */
export function versionOf({ state }: ResolvedBox): string | undefined {
  if (state === undefined) return undefined
  return state.settled && !state.expired ? `${state.pk} ${state.seq}` : undefined
}
