/** Adds new rows at the top of the journal while the page is open. */
const MAX_ROWS = 300

const list = document.querySelector('#entries')
const status = document.querySelector('#live')
const none = document.querySelector('#none')

function show(text: string): void {
  if (status !== null) status.textContent = text
}

async function addRows(markup: string): Promise<void> {
  if (list === null) return
  await untilReleased()
  list.insertAdjacentHTML('afterbegin', markup)
  while (list.children.length > MAX_ROWS) list.lastElementChild?.remove()
  none?.remove()
  list.closest('.wide')?.removeAttribute('hidden')
}

if (list !== null) {
  const last = list.getAttribute('data-last') ?? '0'
  const query = new URLSearchParams(location.search)
  query.set('after', last)
  const events = new EventSource(`/__nonet/journal/events?${query}`)
  events.addEventListener('open', () => show('Live: new requests appear at the top.'))
  events.addEventListener('error', () => show('Not live: connection lost.'))
  events.addEventListener('rows', ({ data }) => addRows(JSON.parse(data)))
}
