import type { PageRequest } from '../page-request.ts'

/** What the parts of the settings need for their forms. */
export interface SettingsForm {
  /** Path of the board's pages below the root. */
  path: string
  action: PageRequest['action']
  canEdit: boolean
}
