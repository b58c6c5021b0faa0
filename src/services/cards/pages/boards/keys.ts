import type { TokenFacts } from '../../../../kernel/credentials/rules.ts'
import { html, type Markup } from '../../../../kernel/html.ts'
import { address, askFirst, codeTabs, time } from '../../../../kernel/page-parts.ts'
import type { CardContext } from '../../context.ts'
import { BOARD_BINDING } from '../../records/bindings.ts'
import type { BoardRow } from '../../store/rows.ts'
import { buttonForm } from '../form-parts.ts'
import { renderMemberPage } from '../member-layout.ts'
import type { PageRequest, ShownPage } from '../page-request.ts'
import { boardPath } from '../read-pages.ts'
import type { SettingsForm } from './settings-form.ts'

/** Publishable keys of a board that are valid or were. */
export async function listKeys(
  { kernel }: Pick<CardContext, 'kernel'>,
  board: string
): Promise<TokenFacts[]> {
  const tokens = await kernel.credentials.list()
  return tokens.filter(
    ({ scopes, bindings }) =>
      scopes.includes('published') && bindings.includes(BOARD_BINDING + board)
  )
}

export function renderKeys(
  keys: readonly TokenFacts[],
  { path, action, canEdit }: SettingsForm
): Markup {
  const valid = keys.filter(({ state }) => state === 'active' || state === 'rotated')
  return html`<p class="hint">A site reads the published cards of this board with a key, also while the board is private. It may be in the source of web pages.</p>
${
  valid.length > 0 &&
  html`<ul class="rows">${valid.map(
    (
      key
    ) => html`<li><span class="grow"><b dir="auto">${key.name || 'without a name'}</b> <span class="soft">since ${time(key.createdAt)}${key.usedAt !== undefined && html`, last used ${time(key.usedAt)}`}</span></span>
${canEdit && askFirst('Revoke', 'Sites with this key cannot read the board any more.', buttonForm(action(`${path}/keys/${key.id}/revoke`), 'Revoke', { kind: 'danger', label: `Revoke ${key.name}` }))}</li>`
  )}</ul>`
}
${canEdit ? html`<form class="filter" method="post" action="${action(`${path}/keys`)}"><label>Name<input name="name" required maxlength="100" placeholder="my site" dir="auto"></label><button>Make a key</button></form>` : html`<p class="hint">Making keys needs a token with the scope admin.</p>`}`
}

/** Shows a new key, once. */
export function keyPage(
  context: CardContext,
  request: PageRequest,
  board: BoardRow,
  key: string
): ShownPage {
  const url = `${request.baseUrl}/content/${board.slug}/cards`
  return renderMemberPage(context, request, {
    title: 'The new publishable key',
    crumbs: [{ text: board.name, path: boardPath(board) }, { text: 'Publishable key' }],
    main: html`<p>Copy it now: it is not stored and cannot be shown again.</p>
${address(key, 'Copy the key')}
<h2>Read the published cards</h2>
${codeTabs('use', [
  { label: 'curl', text: `curl '${url}' -H 'Authorization: Bearer ${key}'`, language: 'shell' },
  { label: 'fetch', text: fetchSnippet(url, key), language: 'script' }
])}
<p><a href="settings">Settings of the board</a></p>`
  })
}

function fetchSnippet(url: string, key: string): string {
  return `const response = await fetch('${url}', {
  headers: { authorization: 'Bearer ${key}' }
})
const { cards } = await response.json()
for (const { title, url, images } of cards) show(title, url, images[0]?.url)`
}
