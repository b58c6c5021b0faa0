/** Shows new submissions and the outcomes of the page's forms without a reload. */
const inbox = document.querySelector('#inbox')
const state = document.querySelector('#live')
let requests = 0
let shownRequest = 0

function showState(text: string, isLive: boolean): void {
  if (state === null) return
  state.textContent = text
  state.className = isLive ? 'pill' : 'pill off'
}

/** Reads a page of the console and shows its inbox, unless that of a later request is shown. */
async function showPage(url: string, init: RequestInit = {}): Promise<Document> {
  const request = ++requests
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`status ${response.status}`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  await untilReleased()
  if (request > shownRequest) {
    shownRequest = request
    replaceInbox(page.querySelector('#inbox'))
  }
  return page
}

function replaceInbox(next: Element | null): void {
  if (inbox === null || next === null) return
  const focused = inbox.querySelector<HTMLElement>(':focus')
  const itemId = focused?.closest('li')?.id
  for (const item of next.querySelectorAll('li[id]')) keepState(item)
  if (inbox.querySelector('.ask[open]')) next.querySelector('.ask')?.setAttribute('open', '')
  inbox.replaceChildren(...next.childNodes)
  if (focused === null) return
  const parent = itemId === undefined ? inbox : document.getElementById(itemId)
  const controls = [...(parent?.querySelectorAll<HTMLElement>('button, summary, pre') ?? [])]
  const same = controls.find((control) => control.textContent === focused.textContent)
  ;(focused.isConnected ? focused : same)?.focus({ preventScroll: true })
}

/** A submission that did not change is kept as it is; another stays open. */
function keepState(item: Element): void {
  const before = document.getElementById(item.id)
  if (before === null) return
  if (before.dataset.version === item.getAttribute('data-version')) item.replaceWith(before)
  else if (before.querySelector('details[open]'))
    item.querySelector('details')?.setAttribute('open', '')
}

async function submit(form: HTMLFormElement): Promise<void> {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  const body = new URLSearchParams(fields)
  const page = await showPage(form.action, { method: 'POST', body })
  const result = page.querySelector('#tried')
  if (result?.firstElementChild) {
    document.querySelector('#tried')?.replaceChildren(...result.childNodes)
  }
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.dataset.fetch === undefined) return
  event.preventDefault()
  // A disabled button would lose the focus.
  if (form.ariaBusy === 'true') return
  form.ariaBusy = 'true'
  submit(form)
    .catch(() => showState('Not sent: reload the page', false))
    .finally(() => {
      form.ariaBusy = null
    })
})

const source = inbox?.getAttribute('data-events')
if (source) {
  const lost = () => showState('Not live: connection lost', false)
  const events = new EventSource(source)
  events.addEventListener('open', () => showState('live', true))
  events.addEventListener('error', lost)
  events.addEventListener('change', () => {
    showPage(location.pathname + location.search).catch(lost)
  })
}
