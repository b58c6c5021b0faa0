/** Shows pupils and requests as they arrive, without moving what is being read. */

const pill = document.querySelector<HTMLElement>('#live')
/** A class that works hard does not make the page load more often than this. */
const REST_MS = 400
/** The page waits no longer than this for the end of a press, which may be outside of the window. */
const PRESS_MS = 2000
/** The markup of rows as the server sent it: what is shown has local times and open parts. */
const sent = new Map<string, string>()
let isLoading = false
let isStale = false
/** Ends with the press of a mouse button or a finger: a click on what moves away meanwhile is lost. */
let press: Promise<void> | undefined

function showState(text: string, isLive: boolean): void {
  if (pill === null) return
  pill.hidden = false
  pill.textContent = text
  pill.classList.toggle('off', !isLive)
}

async function load(): Promise<void> {
  const response = await fetch(location.pathname + location.search)
  if (!response.ok) throw new Error(`status ${response.status}`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  await press
  for (const next of page.querySelectorAll<HTMLElement>('[data-live]')) {
    const shown = document.getElementById(next.id)
    if (shown !== null) update(shown, next)
  }
}

/** Lists keep the rows that did not change; everything else is replaced if it changed. */
function update(shown: HTMLElement, next: HTMLElement): void {
  const lists = [listIn(shown), listIn(next)] as const
  if (lists[0] !== null && lists[1] !== null) updateRows(lists[0], lists[1])
  else if (isChanged(next)) shown.replaceChildren(...next.childNodes)
}

function listIn(element: HTMLElement): Element | null {
  return element.querySelector('tbody, ol')
}

function isChanged(element: HTMLElement): boolean {
  const { id, innerHTML } = element
  if (sent.get(id) === innerHTML) return false
  sent.set(id, innerHTML)
  return true
}

function updateRows(list: Element, next: Element): void {
  const rows = [...next.children].map((row) => rowFor(row as HTMLElement))
  for (const row of [...list.children]) if (!rows.includes(row)) row.remove()
  for (const [index, row] of rows.entries()) {
    const before = list.children[index]
    if (before !== row) list.insertBefore(row, before ?? null)
  }
}

/** The row that is shown already, or its new version, which takes over the focus and what is open. */
function rowFor(next: HTMLElement): Element {
  const shown = document.getElementById(next.id)
  if (!isChanged(next) && shown !== null) return shown
  if (shown === null) return next
  if (shown.querySelector('details[open]')) next.querySelector('details')?.setAttribute('open', '')
  next.toggleAttribute('data-focus', shown.contains(document.activeElement))
  shown.replaceWith(next)
  if (next.hasAttribute('data-focus')) next.querySelector<HTMLElement>('a, summary')?.focus()
  return next
}

function refresh(): void {
  isStale = true
  if (isLoading) return
  isLoading = true
  isStale = false
  load()
    .then(() => showState('live', true))
    .catch(() => showState('not live: connection lost', false))
    .finally(() => {
      setTimeout(() => {
        isLoading = false
        if (isStale) refresh()
      }, REST_MS)
    })
}

function untilRelease(): Promise<void> {
  return new Promise((resolve) => {
    // The click follows the release at once.
    const end = () => setTimeout(resolve)
    for (const type of ['pointerup', 'pointercancel']) addEventListener(type, end, { once: true })
    setTimeout(resolve, PRESS_MS)
  })
}

addEventListener('pointerdown', () => {
  press = untilRelease()
})

const source = pill?.dataset.events
if (source) {
  const events = new EventSource(source)
  events.addEventListener('change', refresh)
  events.addEventListener('error', () => showState('not live: connection lost', false))
}

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-full-screen]')) {
  const poster = document.getElementById(button.dataset.fullScreen ?? '')
  button.hidden = !document.fullscreenEnabled
  button.addEventListener('click', () => poster?.requestFullscreen())
}
