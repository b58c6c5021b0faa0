import { enableDrag } from './board-drag.ts'
import { enableFilter } from './board-filter.ts'
import { enableForms } from './board-forms.ts'
import { enableKeys } from './board-keys.ts'
import { board, page, required } from './board-parts.ts'
import { followChanges, rememberSource } from './board-refresh.ts'

rememberSource()
enableForms()
enableFilter()
followChanges()
// A token that may only read shows no forms.
if (page.dataset.move !== undefined) {
  enableDrag()
  enableKeys()
  page.classList.add('movable')
  required('#keys').hidden = false
  board.setAttribute('aria-describedby', 'keys')
}
page.classList.add('live')
