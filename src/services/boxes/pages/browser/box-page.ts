/**
 * Browser script of the boxes page: keeps the key in the session storage of the tab and shows
 * changes when they happen. Forms and links also work without it.
 */

const KEY_OF = 'nonet-boxes-key '
const TEXTS = {
  watching: 'Live: changes appear automatically.',
  paused: 'Paused.',
  lost: 'Connection lost; reconnecting.',
  pause: 'Pause',
  watch: 'Watch',
  changedHere: 'This record was changed by another client; reload it before you save.',
  unreachable: 'The service does not respond.'
}
const RETRY_MS = 2_000
/** Changes within this time are shown together. */
const SETTLE_MS = 120

let watched: AbortController | undefined
let paused = false
/** The list as the service sent it; the script of all pages changes its times to local ones. */
let receivedList = ''

function current(name: string): string {
  return new URL(location.href).searchParams.get(name) ?? ''
}

function keyOf(box: string): string | null {
  return sessionStorage.getItem(KEY_OF + box)
}

function headersFor(box: string, accept: string): Record<string, string> {
  const key = keyOf(box)
  return key === null ? { accept } : { accept, 'x-api-key': key }
}

async function fetchPage(url: URL, init: RequestInit, box: string): Promise<[Response, Document]> {
  const response = await fetch(url, { ...init, headers: headersFor(box, 'text/html') })
  return [response, new DOMParser().parseFromString(await response.text(), 'text/html')]
}

/** Requests a page and shows it in place of the current one. */
async function navigate(
  url: URL,
  init: RequestInit,
  box: string,
  remember: boolean
): Promise<void> {
  try {
    const [response, page] = await fetchPage(url, init, box)
    const main = page.querySelector('main')
    if (main === null) return location.assign(url)
    if (remember && (response.redirected || init.method !== 'POST')) {
      history.pushState(null, '', response.url)
    }
    document.title = page.title
    document.querySelector('main')?.replaceWith(document.adoptNode(main))
    main.focus()
    arrive()
  } catch {
    say(TEXTS.unreachable)
  }
}

/** Replaces only the list of records; the focus stays on the same link. */
async function refresh(): Promise<void> {
  const shown = document.getElementById('records')
  if (shown === null) return
  const [, page] = await fetchPage(new URL(location.href), {}, current('box'))
  const fresh = page.getElementById('records')
  if (fresh === null || paused || fresh.outerHTML === receivedList) return
  receivedList = fresh.outerHTML
  const focused = document.activeElement?.id
  const inside = shown.contains(document.activeElement)
  shown.replaceWith(document.adoptNode(fresh))
  if (inside && focused) document.getElementById(focused)?.focus()
}

function say(text: string): void {
  const status = document.getElementById('live')
  if (status !== null) status.textContent = text
}

/** Runs for every page that is shown. */
function arrive(): void {
  watched?.abort()
  receivedList = document.getElementById('records')?.outerHTML ?? ''
  const box = current('box')
  const key = keyOf(box)
  for (const field of document.querySelectorAll<HTMLInputElement>('input[name=key]')) {
    if (key !== null) field.value = key
  }
  const container = document.getElementById('watch')
  if (container === null || box === '') return
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
  say(paused ? TEXTS.paused : TEXTS.watching)
  if (paused) return
  watched = new AbortController()
  watch(current('box'), watched.signal)
}

/** Reads the event stream with `fetch`, because `EventSource` cannot send a key. */
async function watch(box: string, signal: AbortSignal): Promise<void> {
  let last: string | undefined
  while (!signal.aborted) {
    try {
      const headers = headersFor(box, 'text/event-stream')
      if (last !== undefined) headers['last-event-id'] = last
      const response = await fetch(`/${encodeURIComponent(box)}`, { headers, signal })
      if (response.ok && response.body !== null) {
        say(TEXTS.watching)
        // The list is older than the stream, which begins with the changes from now on.
        if (last === undefined) refreshSoon()
        for await (const event of eventsOf(response.body)) {
          last = event.id ?? last
          if (event.data !== '') noteChange(event.data)
        }
      }
    } catch {
      // The loop tries again, unless it was aborted.
    }
    if (signal.aborted) return
    say(TEXTS.lost)
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

interface ServerEvent {
  id: string | undefined
  data: string
}

async function* eventsOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>
): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split('\n')
      yield {
        id: lines.find((line) => line.startsWith('id: '))?.slice(4),
        data: lines
          .filter((line) => line.startsWith('data: '))
          .map((line) => line.slice(6))
          .join('\n')
      }
    }
  }
}

let settling = false

function noteChange(data: string): void {
  const id = /"_id":"([0-9a-f]{24})"/.exec(data)?.[1]
  if (id !== undefined && id === current('record').toLowerCase()) say(TEXTS.changedHere)
  refreshSoon()
}

function refreshSoon(): void {
  if (settling) return
  settling = true
  setTimeout(() => {
    settling = false
    refresh().catch(() => say(TEXTS.lost))
  }, SETTLE_MS)
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement)) return
  event.preventDefault()
  const fields = new URLSearchParams()
  for (const [name, value] of new FormData(form, event.submitter))
    fields.append(name, String(value))
  const box = fields.get('box') ?? ''
  const key = fields.get('key')
  fields.delete('key')
  if (key) sessionStorage.setItem(KEY_OF + box, key)
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
if (keyOf(current('box')) === null) arrive()
else navigate(new URL(location.href), {}, current('box'), false)

export {}
