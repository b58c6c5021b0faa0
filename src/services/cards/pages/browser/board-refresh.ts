import { board, page, showMessage } from './board-parts.ts'
import { fetchPage, inOrder } from './board-requests.ts'

/** Parts as the server sent them: a part that it sends again unchanged is not touched. */
const source = new Map<string, string>()
const CONTROLS = 'a, button, input, select, summary'
const listeners: (() => void)[] = []
let busy = 0
let isWanted = false
let stream: EventSource | undefined
/** Until a page that could not be read is read again. */
const AGAIN_MS = 2_000

/** Called after each change of the page. */
export function onRefresh(listener: () => void): void {
  listeners.push(listener)
}

/** While a card is lifted, the page stays as it is. */
export function setBusy(isBusy: boolean): void {
  busy += isBusy ? 1 : -1
  if (busy === 0 && isWanted) refresh()
}

function keyOf(element: Element): string {
  return (element as HTMLElement).dataset.key ?? element.id
}

export function rememberSource(root: ParentNode = document): void {
  for (const part of root.querySelectorAll('[data-key]')) source.set(keyOf(part), part.outerHTML)
}

/** Shows the board as it is now; the focus, what is typed and how far lists are scrolled stay. */
export function refresh(): void {
  isWanted = true
  inOrder(update).catch(() => {
    const isFollowed = stream !== undefined && stream.readyState !== EventSource.CLOSED
    if (isFollowed) setTimeout(refresh, AGAIN_MS)
  })
}

async function update(): Promise<void> {
  if (!isWanted || busy > 0) return
  isWanted = false
  const next = await fetchPage()
  await untilReleased()
  if (busy > 0) {
    isWanted = true
    return
  }
  const nextPage = next.querySelector<HTMLElement>('#board-page')
  // The session has ended, or the board is gone.
  if (nextPage === null) return location.reload()
  const focus = focusedControl()
  const scroll = scrolledLists()
  page.dataset.revision = nextPage.dataset.revision
  const nextBoard = next.querySelector('#board')
  if (nextBoard !== null) reconcile(board, nextBoard)
  for (const part of next.querySelectorAll('[data-key]')) {
    if (part.closest('#board') !== null) continue
    const known = document.querySelector(`[data-key="${CSS.escape(keyOf(part))}"]`)
    if (known !== null) replaceIfChanged(known, part)
  }
  rememberSource(next)
  focus()
  scroll()
  for (const listener of listeners) listener()
}

/** Scrolls lists back: the browser follows a card that was the first visible one. */
function scrolledLists(): () => void {
  const lists = [...board.querySelectorAll('[data-cards]')]
  const tops = lists.map(({ scrollTop }) => scrollTop)
  return () => {
    for (const [index, list] of lists.entries()) list.scrollTop = tops[index] ?? 0
  }
}

/** Gives the focus back to the same control of the same part. */
function focusedControl(): () => void {
  const active = document.activeElement
  const part = active?.closest('[data-key]')
  if (!active || !part) return () => undefined
  const key = keyOf(part)
  const index = [...part.querySelectorAll(CONTROLS)].indexOf(active)
  return () => {
    const same = document.querySelector(`[data-key="${CSS.escape(key)}"]`)
    const controls = same?.querySelectorAll<HTMLElement>(CONTROLS)
    // The menu of a card is closed after the card has moved to another list.
    const control = controls?.[index]?.checkVisibility() ? controls[index] : controls?.[0]
    if (control && document.activeElement !== control) control.focus({ preventScroll: true })
  }
}

/** Children are matched by their keys; those that stay are not moved if it can be avoided. */
function reconcile(current: Element, next: Element): void {
  const wanted = new Set([...next.children].map(keyOf))
  for (const child of [...current.children]) if (!wanted.has(keyOf(child))) child.remove()
  const old = new Map([...current.children].map((child) => [keyOf(child), child]))
  let at = current.firstElementChild
  for (const child of [...next.children]) {
    const known = old.get(keyOf(child))
    if (known !== undefined && at !== null && known === at.nextElementSibling) {
      current.append(at)
      at = known
    }
    if (known !== undefined && known === at) at = at.nextElementSibling
    const shown = known === undefined ? document.importNode(child, true) : match(known, child)
    if (shown.nextElementSibling !== at || shown.parentElement !== current) {
      current.insertBefore(shown, at)
    }
  }
}

function match(known: Element, next: Element): Element {
  if (next.hasAttribute('data-key')) return replaceIfChanged(known, next)
  for (const { name, value } of next.attributes) known.setAttribute(name, value)
  reconcile(known, next)
  return known
}

function replaceIfChanged(known: Element, next: Element): Element {
  if (source.get(keyOf(next)) === next.outerHTML) return known
  const shown = document.importNode(next, true)
  if (known.querySelector('details[open]')) {
    shown.querySelector('details')?.setAttribute('open', '')
  }
  known.replaceWith(shown)
  return shown
}

/** Follows changes of other windows and processes. */
export function followChanges(): void {
  connect()
  // A page of the history would keep the connection.
  addEventListener('pagehide', () => stream?.close())
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) connect()
  })
}

function connect(): void {
  const { events, revision = '' } = page.dataset
  const opened = new EventSource(`${events}?since=${revision}`)
  opened.addEventListener('changed', ({ lastEventId }) => {
    if (lastEventId !== page.dataset.revision) refresh()
  })
  opened.addEventListener('error', () => {
    if (opened.readyState !== EventSource.CLOSED) return
    showMessage('Changes of others are no longer shown here. Reload the page.')
  })
  stream = opened
}
