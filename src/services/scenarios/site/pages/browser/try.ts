/** Shows responses below their scenarios; without it, links and forms open another page. */
import { highlightJson } from './highlight-json.ts'

const PATIENCE_MS = 10_000
/** The body comes long after the headers if it takes this much longer. */
const LATE_MS = 50
/** Headers that scenarios are rarely about; they are shown on demand. */
const USUAL_HEADERS = [
  ...['access-control-allow-origin', 'access-control-expose-headers', 'connection', 'date'],
  ...['keep-alive', 'vary', 'x-content-type-options']
]

interface Ask {
  readonly url: string
  readonly method: string
  readonly body: string
  readonly headers: Record<string, string>
}

export function prepareTries(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-try], form[data-own]')) {
    form.hidden = false
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      show(event.submitter ?? form, askOf(form, event.submitter))
    })
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-try]')) {
    link.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      show(link, { url: link.href, method: 'GET', body: '', headers: {} })
    })
  }
}

function askOf(form: HTMLFormElement, submitter: HTMLElement | null): Ask {
  const { method = form.method.toUpperCase(), body, headers = '{}' } = form.dataset
  const url = new URL(form.action)
  const fields = [...new FormData(form, submitter)]
  if (form.dataset.own !== undefined) {
    for (const [name, value] of fields) url.searchParams.set(name, String(value))
  }
  const sent = method === 'POST' ? JSON.stringify(Object.fromEntries(fields)) : ''
  return { url: url.href, method, body: body ?? sent, headers: JSON.parse(headers) }
}

async function show(control: HTMLElement, ask: Ask): Promise<void> {
  const output = outputOf(control)
  const request = requestLines(ask)
  output.replaceChildren(...request, line('soft', 'Waiting for the response …'))
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  try {
    const isSocket = new URL(ask.url).pathname.endsWith('/api/ws')
    const result = isSocket ? [await talk(ask.url)] : await send(ask, took)
    output.replaceChildren(...request, ...result)
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError'
    const text = isLate
      ? `No response within ${PATIENCE_MS / 1000} seconds; the request was cancelled.`
      : `No readable response after ${took()} ms: ${error instanceof Error ? error.message : error}`
    output.replaceChildren(...request, line('bad', text))
  }
}

/** Element for responses below an entry, created on demand. */
function outputOf(control: HTMLElement): HTMLElement {
  const entry = control.closest('li') ?? control
  const found = entry.querySelector('output')
  if (found !== null) return found
  const output = element('output', 'tried')
  entry.append(output)
  return output
}

function element(tag: string, className: string, ...parts: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag)
  made.className = className
  made.append(...parts)
  return made
}

const line = (className: string, text: string) => element('p', className, text)

function requestLines({ url, method, body, headers }: Ask): Node[] {
  const { pathname, search } = new URL(url)
  const badge = element('span', `method ${method.toLowerCase()}`, method)
  const first = element(
    'p',
    '',
    badge,
    ' ',
    element('code', '', pathname + decodeURIComponent(search))
  )
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  if (body !== '') more.push(body)
  return [first, ...more.map((text) => element('p', '', element('code', 'soft', text)))]
}

async function send(
  { url, method, body, headers }: Ask,
  took: () => number
): Promise<(Node | string)[]> {
  const init: RequestInit = { method, headers, signal: AbortSignal.timeout(PATIENCE_MS) }
  if (body !== '') {
    init.body = body
    init.headers = { ...headers, 'content-type': 'application/json' }
  }
  const response = await fetch(url, init)
  const first = took()
  const text = await response.text()
  const times =
    took() - first > LATE_MS ? `${took()} ms, headers after ${first} ms` : `${took()} ms`
  const hops = response.redirected ? ', after redirects' : ''
  const { status, statusText } = response
  const figure = element('span', `status s${Math.floor(status / 100)}`, String(status))
  const summary = element('p', '', figure, ` ${statusText}, ${times}, ${sizeOf(text)}${hops}`)
  const isUsual = ([name]: [string, string]) => USUAL_HEADERS.includes(name)
  const usual = [...response.headers].filter(isUsual)
  const others = [...response.headers].filter((header) => !isUsual(header))
  return [summary, headerBlock(others), ...bodyOf(text), moreHeaders(usual)]
}

function sizeOf(text: string): string {
  const { length } = new TextEncoder().encode(text)
  return length < 1000 ? `${length} B` : `${(length / 1000).toFixed(1)} kB`
}

function headerBlock(headers: readonly [string, string][]): Node {
  const lines = headers.flatMap(([name, value], index) => [
    index === 0 ? '' : '\n',
    element('span', 'hl-name', name),
    `: ${value}`
  ])
  return blockOf(lines)
}

function moreHeaders(headers: readonly [string, string][]): Node {
  const details = document.createElement('details')
  details.append(element('summary', '', `${headers.length} more headers`), headerBlock(headers))
  return details
}

function bodyOf(text: string): Node[] {
  return text === '' ? [line('soft', 'The body is empty.')] : [blockOf(highlightJson(text))]
}

/** Code with a button that copies it, like those of the server. */
function blockOf(parts: (Node | string)[]): Node {
  const pre = element('pre', '', ...parts)
  pre.tabIndex = 0
  const block = element('div', 'block', pre)
  const button = document.querySelector('button.copy')?.cloneNode(true)
  if (button instanceof HTMLElement) {
    button.setAttribute('aria-label', 'Copy the code')
    block.append(button)
  }
  return block
}

/** Messages of a WebSocket until it closes or the timeout ends. */
function talk(url: string): Promise<Node> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'))
    const lines: string[] = []
    const timer = setTimeout(() => socket.close(), PATIENCE_MS)
    socket.addEventListener('message', ({ data }) => lines.push(String(data)))
    socket.addEventListener('close', ({ code, reason }) => {
      clearTimeout(timer)
      resolve(blockOf([[...lines, `closed with ${code} ${reason}`.trim()].join('\n')]))
    })
  })
}
