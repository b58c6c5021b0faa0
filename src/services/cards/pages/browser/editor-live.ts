import { form, status } from './editor-request.ts'

/** Tells that another window has changed the card; saving would lead to the page with both. */
export function followBoard(revisionOf: () => string): void {
  const { events } = form()?.dataset ?? {}
  if (events === undefined) return
  const stream = new EventSource(events)
  let isChecking = false
  const look = async () => {
    if (isChecking) return
    isChecking = true
    await check(revisionOf)
    isChecking = false
  }
  stream.addEventListener('changed', look)
  addEventListener('pagehide', () => stream.close())
}

async function check(revisionOf: () => string): Promise<void> {
  const { revisionUrl } = form()?.dataset ?? {}
  if (revisionUrl === undefined) return
  const before = revisionOf()
  const response = await fetch(revisionUrl).catch(() => undefined)
  if (response === undefined) return
  const note = document.querySelector<HTMLElement>('#changed')
  if (response.status === 404) return status('This card was deleted in another window.', true)
  const { revision } = await response.json()
  if (note !== null && before === revisionOf()) note.hidden = String(revision) === before
}
