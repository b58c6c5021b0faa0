/**
 * Shows changes in a list without moving what is being read: known rows change where they are,
 * deleted ones stay struck through, and new ones wait for a button while the list is in use.
 */

const DELETED = new Set<string>()
let waiting: Document | undefined

/** Forgets the page before. */
export function beginList(): void {
  DELETED.clear()
  waiting = undefined
}

export function noteDeleted(id: string): void {
  DELETED.add(id)
}

/** Takes over what differs in a newer version of the page. */
export function mergeList(fresh: Document): void {
  for (const id of ['total', 'count', 'side-count']) replaceText(id, fresh)
  const shown = document.getElementById('records')
  const next = fresh.getElementById('records')
  if (shown === null || next === null) {
    // One of the two is empty, so there is no row that could move.
    replaceList(fresh)
    return
  }
  const added = [...next.children].filter(({ id }) => document.getElementById(id) === null)
  for (const row of [...shown.children]) mergeRow(row, fresh)
  if (!isInUse(shown)) replaceList(fresh)
  else if (added.length > 0) offer(fresh, added.length)
  else hideButton()
}

function mergeRow(row: Element, fresh: Document): void {
  const newer = fresh.getElementById(row.id)
  const isGone = newer === null && DELETED.has(row.id.slice(2))
  row.classList.toggle('gone', isGone)
  if (newer === null || newer.getAttribute('data-rev') === row.getAttribute('data-rev')) return
  const focused = row.contains(document.activeElement) ? document.activeElement?.id : undefined
  row.replaceWith(document.adoptNode(newer.cloneNode(true)))
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true })
}

/** Whether a person reads or uses the list, so that rows must not move. */
function isInUse(list: Element): boolean {
  const isScrolled = list.getBoundingClientRect().top < 0
  const isOpen = list.querySelector('[aria-current]') !== null
  return isScrolled || isOpen || list.matches(':hover') || list.contains(document.activeElement)
}

function offer(fresh: Document, count: number): void {
  waiting = fresh
  const text = count === 1 ? 'Show 1 new' : `Show ${count} new`
  const known = document.querySelector('#new-records button')
  if (known !== null) {
    known.textContent = text
    return
  }
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.addEventListener('click', () => {
    if (waiting !== undefined) replaceList(waiting)
    document.querySelector<HTMLElement>('#records a')?.focus({ preventScroll: true })
  })
  const holder = document.createElement('span')
  holder.id = 'new-records'
  holder.setAttribute('role', 'status')
  holder.append(button)
  // Beside the name of the box, where it moves nothing.
  document.getElementById('watch')?.append(holder)
}

function hideButton(): void {
  waiting = undefined
  document.getElementById('new-records')?.remove()
}

function replaceList(fresh: Document): void {
  const next = fresh.getElementById('list')
  const shown = document.getElementById('list')
  hideButton()
  if (next === null || shown === null) return
  if (shown.dataset.source === next.innerHTML) return
  const copy = document.adoptNode(next.cloneNode(true)) as HTMLElement
  copy.dataset.source = next.innerHTML
  shown.replaceWith(copy)
}

function replaceText(id: string, fresh: Document): void {
  const shown = document.getElementById(id)
  const next = fresh.getElementById(id)
  if (shown === null || next === null || shown.textContent === next.textContent) return
  shown.replaceChildren(...[...next.cloneNode(true).childNodes])
}
