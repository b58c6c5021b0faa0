/** Updates the parts of a page that count requests, whenever the journal has new ones. */
const WAIT_MS = 500

const status = document.querySelector('#live')

function show(text: string): void {
  if (status !== null) status.textContent = text
}

/** Parts are found by their keys; one that has the focus stays as it is. */
async function update(): Promise<void> {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!response.ok) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  await untilReleased()
  const next = new Map<string, Element>()
  for (const part of page.querySelectorAll('[data-live]')) {
    next.set(part.getAttribute('data-live') ?? '', part)
  }
  for (const part of document.querySelectorAll('[data-live]')) {
    const found = next.get(part.getAttribute('data-live') ?? '')
    const isOld = found !== undefined && found.innerHTML !== part.innerHTML
    if (isOld && !part.contains(document.activeElement)) part.innerHTML = found.innerHTML
  }
}

let isWaiting = false

function updateSoon(): void {
  if (isWaiting) return
  isWaiting = true
  setTimeout(() => {
    isWaiting = false
    update().catch(() => show('Not live: connection lost.'))
  }, WAIT_MS)
}

const events = new EventSource(`/__nonet/journal/events?after=${Number.MAX_SAFE_INTEGER}`)
events.addEventListener('open', () => show('Live.'))
events.addEventListener('error', () => show('Not live: connection lost.'))
events.addEventListener('rows', updateSoon)
