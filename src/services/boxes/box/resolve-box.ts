import type { BoxContext } from '../context.ts'
import type { BoxState } from '../store/changes.ts'
import { type BoxIndex, rulesOf } from '../store/rules.ts'
import type { RecordScope } from '../store/scan.ts'

/** A box as the caller may see it. */
export interface ResolvedBox {
  readonly scope: RecordScope
  readonly indexes: readonly BoxIndex[]
  /** Undefined if the box is unknown, or private and the key may not read it. */
  readonly state: BoxState | undefined
}

/** No box has this number, so a scope with it is empty. */
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

/** `viewBox` for the operator, who may read every box. */
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

/** Equal while the box is unchanged; undefined if unknown, not settled or with expired records. */
export function versionOf({ state }: ResolvedBox): string | undefined {
  if (state === undefined) return undefined
  return state.settled && !state.expired ? `${state.pk} ${state.seq}` : undefined
}
