import type { ApiRequest, CardContext } from '../context.ts'
import { createEditor, type Editor } from '../store/editor.ts'
import { memberOf } from './requests.ts'

/** The member whose token was sent, at the time of the transaction. */
export function editorOf(context: CardContext, request: ApiRequest, time: string): Editor {
  return createEditor(context, memberOf(request), time)
}
