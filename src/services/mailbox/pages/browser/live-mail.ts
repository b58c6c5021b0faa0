/** Shows new mail without a reload. */
const mail = document.querySelector<HTMLElement>('#mail')
const state = document.querySelector('#live')
let requests = 0
let shownRequest = 0

function showState(text: string, isLive: boolean): void {
  if (state === null) return
  state.textContent = text
  state.className = isLive ? 'pill' : 'pill off'
}

/** Reads the list again and shows it, unless that of a later request is shown. */
async function showList(url: string): Promise<void> {
  const request = ++requests
  const response = await fetch(url, { headers: { accept: 'text/html' } })
  if (!response.ok) throw new Error(`status ${response.status}`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  await untilReleased()
  if (request < shownRequest) return
  shownRequest = request
  replaceList(page.querySelector('#mail'))
}

function replaceList(next: Element | null): void {
  if (mail === null || next === null) return
  const known = new Set(hrefs(mail))
  const focused = mail.querySelector<HTMLElement>(':focus')
  if (mail.querySelector('.ask[open]')) next.querySelector('.ask')?.setAttribute('open', '')
  for (const item of next.querySelectorAll('a.mail')) {
    if (!known.has(item.getAttribute('href'))) item.classList.add('is-new')
  }
  mail.replaceChildren(...next.childNodes)
  const controls = [...mail.querySelectorAll<HTMLElement>('a, button, summary')]
  controls.find((control) => isSame(control, focused))?.focus({ preventScroll: true })
}

function hrefs(list: Element): readonly (string | null)[] {
  return [...list.querySelectorAll('a.mail')].map((item) => item.getAttribute('href'))
}

function isSame(control: HTMLElement, before: HTMLElement | null): boolean {
  if (before === null || control.tagName !== before.tagName) return false
  const href = before.getAttribute('href')
  return href === null
    ? control.textContent === before.textContent
    : control.getAttribute('href') === href
}

const source = mail?.dataset.source
if (source && mail?.dataset.events) {
  const lost = () => showState('Not live: connection lost', false)
  const events = new EventSource(mail.dataset.events)
  events.addEventListener('open', () => showState('live', true))
  events.addEventListener('error', lost)
  events.addEventListener('change', () => {
    showList(source).catch(lost)
  })
}

// Without a script the form has a button.
const account = document.querySelector<HTMLSelectElement>('.mail-search select')
account?.addEventListener('change', () => account.form?.requestSubmit())
