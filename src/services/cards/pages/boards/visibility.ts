import { html, type Markup } from '../../../../kernel/html.ts'
import type { BoardRow } from '../../store/rows.ts'

type Permission = BoardRow['permission']

const CHOICES: readonly (readonly [Permission, string, string])[] = [
  ['private', 'Private', 'only you, and sites with a publishable key of the board, see it'],
  ['public', 'Public', 'everyone sees the cards in published lists; drafts stay hidden']
]

/** Boards that were imported may also be visible to a workspace, which is the same as private. */
export function renderVisibility(chosen: string): Markup {
  const isPublic = chosen === 'public'
  return html`<fieldset><legend>Visibility</legend>${CHOICES.map(
    ([value, name, about]) =>
      html`<label class="pick"><input type="radio" name="visibility" value="${value}"${(value === 'public') === isPublic && html` checked`}><span><b>${name}</b>: ${about}</span></label>`
  )}</fieldset>`
}
