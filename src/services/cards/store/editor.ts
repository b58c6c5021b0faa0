import type { CardContext } from '../context.ts'
import type { Viewer } from '../records/viewer.ts'

/** The member who changes something, with what a transaction needs for new rows. */
export interface Editor {
  readonly viewer: Viewer & { kind: 'member' }
  readonly time: string
  readonly nextId: () => string
  readonly nextSortKey: () => string
  readonly maxCards: number
  readonly maxAttachments: number
}

/** `time` is that of the transaction. */
export function createEditor(
  { nextId, nextSortKey, options }: Pick<CardContext, 'nextId' | 'nextSortKey' | 'options'>,
  viewer: Editor['viewer'],
  time: string
): Editor {
  const { maxCards, maxAttachments } = options
  return { viewer, time, nextId, nextSortKey, maxCards, maxAttachments }
}

/** For changes that the service makes itself, in the name of the member that the board is of. */
export function ownerOf(member: string): Editor['viewer'] {
  return {
    ...{ kind: 'member', member, boards: undefined, tokenId: '' },
    ...{ canWrite: true, canAdminister: false }
  }
}
