/** Shows pupils and requests as they arrive, without moving what is being read. */

const pill = document.querySelector<HTMLElement>('#live')
/** A class that works hard does not make the page load more often than this. */
const REST_MS = 400
/** The markup of rows as the server sent it: what is shown has local times and open parts. */
const sent = new Map<string, string>()
let isLoading = false
let isStale = false

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
  await untilReleased()
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
