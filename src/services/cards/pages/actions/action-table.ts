import { cardActions } from '../board/card-actions.ts'
import { homeActions } from '../boards/home-actions.ts'
import { labelActions } from '../boards/label-actions.ts'
import { listActions } from '../boards/list-actions.ts'
import { settingsActions } from '../boards/settings-actions.ts'
import { editorActions } from '../editor/action-rows.ts'
import { importActions } from '../import/import-actions.ts'
import type { Action } from './action.ts'
import { sessionActions } from './session-actions.ts'

/** Everything that signed-in pages can change; all are POST requests. */
export const ACTIONS: readonly Action[] = [
  ...sessionActions,
  ...homeActions,
  ...importActions,
  ...settingsActions,
  ...listActions,
  ...labelActions,
  ...cardActions,
  ...editorActions
]
