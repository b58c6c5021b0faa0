import type { ApiRequest, CardContext } from '../context.ts'
import type { Editor } from '../store/editor.ts'
import { memberOf } from './requests.ts'

/** The member whose token was sent, at the time of the transaction. */
export function editorOf(
  { nextId, nextSortKey, options }: CardContext,
  request: ApiRequest,
  time: string
): Editor {
  const { maxCards, maxAttachments } = options
  return { viewer: memberOf(request), time, nextId, nextSortKey, maxCards, maxAttachments }
}
