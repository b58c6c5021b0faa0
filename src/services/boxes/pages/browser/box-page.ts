/**
 * Browser script of the pages of boxes: keeps the key in the session storage of the tab, changes
 * pages without a reload and shows changes when they happen. Forms and links also work without it.
 */
import { follow, headersFor, keyOf, rememberKey } from './follow.ts'
import { beginList, mergeList, noteDeleted } from './live-list.ts'

const TEXTS = {
  live: 'live',
  paused: 'paused',
  lost: 'reconnecting',
  pause: 'Pause',
  watch: 'Watch',
  changed: 'A newer revision exists: show it',
  changedHere: 'Changed by another client; saving shows both',
  deleted: 'Deleted by another client',
  unreachable: 'The service does not respond.'
}
/** Changes within this time are shown together. */
const SETTLE_MS = 120

let watched: AbortController | undefined
let paused = false

function current(name: string): string {
  return new URL(location.href).searchParams.get(name) ?? ''
}

async function fetchPage(url: URL, init: RequestInit, box: string): Promise<[Response, Document]> {
  const response = await fetch(url, { ...init, headers: headersFor(box, 'text/html') })
  return [response, new DOMParser().parseFromString(await response.text(), 'text/html')]
}

/** Requests a page and shows it instead of the current one. */
async function navigate(
  url: URL,
  init: RequestInit,
  box: string,
  remember: boolean
): Promise<void> {
  const isSameBox = box === current('box')
  try {
    const [response, page] = await fetchPage(url, init, box)
    const main = page.querySelector('main')
    if (main === null) return location.assign(url)
    if (remember) history.pushState(null, '', addressAfter(response, init, box))
    document.title = page.title
    for (const selector of ['.crumbs', 'main']) {
      const shown = document.querySelector(selector)
      const next = page.querySelector(selector)
      if (next !== null) shown?.replaceWith(document.adoptNode(next))
    }
    arrive(isSameBox)
  } catch {
    say(TEXTS.unreachable, 'off')
  }
}

/** After a form that did not lead to another page, a reload shows the box and not the form. */
function addressAfter(response: Response, init: RequestInit, box: string): string {
  if (init.method !== 'POST' || response.redirected) return response.url
  const fields = init.body instanceof URLSearchParams ? init.body : new URLSearchParams()
  const isDeleted = fields.get('action') === 'delete' && response.ok
  const kept = ['q', 'cursor', 'view', 'tab', ...(isDeleted ? [] : ['record'])]
  const parameters = new URLSearchParams({ box })
  for (const name of kept) {
    const value = fields.get(name)
    if (value) parameters.set(name, value)
  }
  return `/?${parameters}`
}

function say(text: string, state: '' | 'paused' | 'off'): void {
  const status = document.getElementById('live')
  if (status === null || status.textContent === text) return
  status.textContent = text
  status.className = `pill ${state}`
}

/** Runs for every page that is shown. */
function arrive(isSameBox: boolean): void {
  watched?.abort()
  beginList()
  const box = current('box')
  const key = keyOf(box)
  for (const field of document.querySelectorAll<HTMLInputElement>('input[name=key]')) {
    if (key !== null) field.value = key
  }
  const isWide = matchMedia('(min-width: 60.01rem)').matches
  const [wanted] = ['[data-focus]', '#record', 'main']
    .map((selector) => document.querySelector<HTMLElement>(selector))
    .filter((element) => element !== null)
  wanted?.focus({ preventScroll: isSameBox && isWide })
  if (!isSameBox) scrollTo(0, 0)
  watchBox()
}

function watchBox(): void {
  const container = document.getElementById('watch')
  // Only lists show changes.
  const hasList = document.getElementById('list') !== null
  if (container === null || !hasList) return
  const status = document.createElement('span')
  status.id = 'live'
  status.setAttribute('role', 'status')
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'quiet'
  button.addEventListener('click', () => {
    paused = !paused
    toggle(button)
  })
  container.replaceChildren(status, button)
  toggle(button)
}

function toggle(button: HTMLButtonElement): void {
  watched?.abort()
  button.textContent = paused ? TEXTS.watch : TEXTS.pause
  if (paused) {
    say(TEXTS.paused, 'paused')
    return
  }
  watched = new AbortController()
  follow(current('box'), watched.signal, {
    connected: () => say(TEXTS.live, ''),
    changed: noteChange,
    lost: () => say(TEXTS.lost, 'off')
  })
}

function noteChange(data: string | undefined): void {
  const { op, _id: id }: { op?: string; _id?: string } = data === undefined ? {} : JSON.parse(data)
  if (op === 'delete' && id !== undefined) noteDeleted(id)
  refreshSoon()
}

let settling = false

function refreshSoon(): void {
  if (settling) return
  settling = true
  setTimeout(() => {
    settling = false
    refresh().catch(() => say(TEXTS.lost, 'off'))
  }, SETTLE_MS)
}

/** The list is merged; an open record stays as it is, and a button tells that it has changed. */
async function refresh(): Promise<void> {
  const address = location.href
  const url = new URL(address)
  // The service then responds with a page and not with an error, also if the record is gone.
  url.searchParams.set('live', 'true')
  const [, page] = await fetchPage(url, {}, current('box'))
  await untilReleased()
  if (paused || address !== location.href) return
  mergeList(page)
  const shown = document.getElementById('revision')
  if (shown === null) return
  const revision = page.getElementById('revision')?.dataset.rev
  if (shown.dataset.rev !== revision) tellChange(shown, revision !== undefined)
}

function tellChange(chip: HTMLElement, exists: boolean): void {
  chip.setAttribute('role', 'status')
  if (current('mode') === 'edit') {
    // A link would lose what was typed.
    chip.textContent = TEXTS.changedHere
    return
  }
  const link = document.createElement('a')
  const target = new URL(location.href)
  target.searchParams.delete('mode')
  link.href = target.href
  link.textContent = exists ? TEXTS.changed : TEXTS.deleted
  chip.replaceChildren(link)
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.dataset.plain !== undefined) return
  // `form.action` is the button of that name.
  if (form.getAttribute('action') !== '/') return
  const fields = new URLSearchParams()
  for (const [name, value] of new FormData(form, event.submitter))
    fields.append(name, String(value))
  event.preventDefault()
  const box = fields.get('box') ?? ''
  const key = fields.get('key')
  fields.delete('key')
  if (key) rememberKey(box, key)
  const url = new URL('/', location.href)
  if (form.method === 'post') navigate(url, { method: 'POST', body: fields }, box, true)
  else {
    url.search = fields.toString()
    navigate(url, {}, box, true)
  }
})

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0)
    return
  const url = new URL(link.href)
  // Records as JSON and other services are not pages of this script.
  if (url.origin !== location.origin || url.pathname !== '/' || link.hash !== '') return
  event.preventDefault()
  navigate(url, {}, url.searchParams.get('box') ?? '', true)
})

addEventListener('popstate', () => navigate(new URL(location.href), {}, current('box'), false))

// The browser requested the first page without the key that this tab may have.
if (keyOf(current('box')) === null) watchBox()
else navigate(new URL(location.href), {}, current('box'), false)
