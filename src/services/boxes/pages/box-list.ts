import { html, type Markup } from '../../../kernel/html.ts'
import { emptyState, time } from '../../../kernel/page-parts.ts'
import { COUNTED, type ListedBox } from '../store/list-boxes.ts'
import type { BoxIndexPage } from './operator.ts'
import { pageUrl } from './page-request.ts'

const TEXTS = {
  none: 'No boxes yet',
  noneNext: 'A box begins with its first record: store one on the page, or with curl.',
  noMatch: 'No box id contains this text',
  noMatchNext: 'Ids are compared without regard to the case of the letters a to z.',
  open: 'open',
  protected: 'writing needs a key',
  private: 'private'
}

export const numbers = new Intl.NumberFormat('en')

export function countText(count: number): string {
  return count > COUNTED ? `${numbers.format(COUNTED)}+` : numbers.format(count)
}

function accessOf({ isPrivate, isProtected }: ListedBox): string {
  if (isPrivate) return TEXTS.private
  return isProtected ? TEXTS.protected : TEXTS.open
}

/** The list as a table; `base` is the URL of the service, empty on its own pages. */
export function boxTable({ boxes, part }: BoxIndexPage, base: string): Markup {
  if (boxes.length === 0) {
    return part === ''
      ? emptyState(TEXTS.none, TEXTS.noneNext)
      : emptyState(TEXTS.noMatch, TEXTS.noMatchNext)
  }
  return html`<table class="stack"><thead><tr><th scope="col">Box</th><th scope="col" class="number">Records</th><th scope="col">Access</th><th scope="col">Last change</th></tr></thead>
<tbody>${boxes.map(
    (
      box
    ) => html`<tr><th scope="row"><a href="${base}${pageUrl({ box: box.id })}">${box.id}</a></th>
<td class="number">${countText(box.count)}<span class="noun"> ${box.count === 1 ? 'record' : 'records'}</span></td><td class="soft">${accessOf(box)}</td><td class="soft">${time(box.changed ?? box.created)}</td></tr>`
  )}</tbody></table>`
}

/** A form to look for a box, for lists of several pages. */
export function boxSearch(part: string): Markup {
  return html`<form action="" method="get" role="search"><label>Part of the box id <input type="search" name="part" value="${part}" autocomplete="off" spellcheck="false"></label><button class="quiet">Find</button></form>`
}

export function nextBoxes({ next, part }: BoxIndexPage): Markup | false {
  if (next === undefined) return false
  const more = new URLSearchParams({ ...(part === '' ? {} : { part }), after: next })
  return html`<p class="pages"><a href="?${more.toString()}">More boxes</a></p>`
}
