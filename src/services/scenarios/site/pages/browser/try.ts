/**
 * Shows responses beside their scenarios and copies requests as curl commands; without it, links
 * and forms open another page.
 */

const PATIENCE_MS = 10_000
const MAX_SHOWN = 1200
const SHOWN_HEADERS = [
  ...['x-scenario-applied', 'x-error-code', 'retry-after', 'location', 'www-authenticate'],
  ...['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'content-type']
]

interface Ask {
  readonly url: string
  readonly method: string
  readonly body: string
  readonly headers: Record<string, string>
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-try], form[data-own]')) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    show(form, askOf(form))
  })
}
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-try]')) {
  link.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    show(link, { url: link.href, method: 'GET', body: '', headers: {} })
  })
}

function askOf(form: HTMLFormElement): Ask {
  const { method = form.method.toUpperCase(), body, headers = '{}' } = form.dataset
  const url = new URL(form.action)
  const fields = [...new FormData(form)]
  if (form.dataset.own !== undefined) {
    for (const [name, value] of fields) url.searchParams.set(name, String(value))
  }
  const sent = method === 'POST' ? JSON.stringify(Object.fromEntries(fields)) : ''
  return { url: url.href, method, body: body ?? sent, headers: JSON.parse(headers) }
}

/** The commands are those of the catalogue. */
async function addCopyButtons(): Promise<void> {
  const model = document.querySelector('button.copy')
  const response = await fetch('/_scenarios')
  const { scenarios } = await response.json()
  for (const { name, curl } of scenarios as { name: string; curl: string }[]) {
    const control = document.querySelector(`li[data-name="${name}"] > :is(p, form)`)
    const button = model?.cloneNode(true) as HTMLButtonElement | undefined
    if (control === null || button === undefined) continue
    button.dataset.copy = curl
    button.setAttribute('aria-label', `Copy as a curl command: ${name}`)
    button.title = 'Copy as a curl command'
    control.append(button)
  }
}

addCopyButtons().catch(() => undefined)

async function show(control: HTMLElement, ask: Ask): Promise<void> {
  const output = outputOf(control)
  const began = performance.now()
  output.textContent = 'Waiting for the response …'
  const took = () => `${Math.round(performance.now() - began)} ms`
  try {
    if (new URL(ask.url).pathname.endsWith('/api/ws')) output.textContent = await talk(ask.url)
    else output.replaceChildren(...(await send(ask, took)))
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError'
    output.textContent = isLate
      ? `No response within ${PATIENCE_MS / 1000} seconds; the request was cancelled.`
      : `No readable response after ${took()}: ${error instanceof Error ? error.message : error}`
  }
}

/** Element for responses below an entry, created on demand. */
function outputOf(control: HTMLElement): HTMLElement {
  const entry = control.closest('li') ?? control
  const found = entry.querySelector('output')
  if (found !== null) return found.querySelector('pre') ?? found
  const output = document.createElement('output')
  const pre = document.createElement('pre')
  pre.tabIndex = 0
  output.append(pre)
  entry.append(output)
  return pre
}

async function send(
  { url, method, body, headers }: Ask,
  took: () => string
): Promise<(Node | string)[]> {
  const init: RequestInit = { method, headers, signal: AbortSignal.timeout(PATIENCE_MS) }
  if (body !== '') {
    init.body = body
    init.headers = { ...headers, 'content-type': 'application/json' }
  }
  const response = await fetch(url, init)
  const lines = SHOWN_HEADERS.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [`${name}: ${value}`]
  })
  const text = await response.text()
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)} …` : text
  const hops = response.redirected ? ', after redirects' : ''
  const status = document.createElement('span')
  status.className = `status s${Math.floor(response.status / 100)}`
  status.textContent = String(response.status)
  const rest = [` ${response.statusText}, ${took()}${hops}`, ...lines, '', shown]
  return [status, rest.join('\n')]
}

/** Messages of a WebSocket until it closes or the timeout ends. */
function talk(url: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'))
    const lines: string[] = []
    const timer = setTimeout(() => socket.close(), PATIENCE_MS)
    socket.addEventListener('message', ({ data }) => lines.push(String(data)))
    socket.addEventListener('close', ({ code, reason }) => {
      clearTimeout(timer)
      resolve([...lines, `closed with ${code} ${reason}`.trim()].join('\n'))
    })
  })
}
