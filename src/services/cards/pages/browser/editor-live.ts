import { form, revisionOf, status } from './editor-request.ts'

/** Until a question that failed is asked again. */
const AGAIN_MS = 2_000

let stream: EventSource | undefined
let isWanted = false
let isLooking = false

/** Tells that another window has changed the card; saving would lead to the page with both. */
export function followBoard(): void {
  connect()
  addEventListener('pagehide', () => stream?.close())
  // A page that comes back from the history has no connection.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) connect()
  })
}

/** The first event of a connection tells of changes since the page was made. */
function connect(): void {
  const { events } = form()?.dataset ?? {}
  if (events === undefined) return
  stream = new EventSource(events)
  stream.addEventListener('changed', lookForChanges)
}

/** A change that is told while the answer for an earlier one is awaited is looked at afterwards. */
export async function lookForChanges(): Promise<void> {
  isWanted = true
  if (isLooking) return
  isLooking = true
  while (isWanted) {
    isWanted = false
    await look().catch(lookLater)
  }
  isLooking = false
}

function lookLater(): void {
  const isFollowed = stream !== undefined && stream.readyState !== EventSource.CLOSED
  if (isFollowed) setTimeout(lookForChanges, AGAIN_MS)
}

async function look(): Promise<void> {
  const { revisionUrl } = form()?.dataset ?? {}
  if (revisionUrl === undefined) return
  const before = revisionOf()
  const response = await fetch(revisionUrl)
  if (response.status === 404) return status('This card was deleted in another window.', true)
  if (!response.ok) return lookLater()
  const { revision } = await response.json()
  const note = document.querySelector<HTMLElement>('#changed')
  // This window has stored a change meanwhile.
  if (before !== revisionOf()) isWanted = true
  else if (note !== null) note.hidden = String(revision) === before
}
