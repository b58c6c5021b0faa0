import { showError, showNoteOf } from './note.ts'

/** Of the note, which would be shown again after a reload. */
const NOTE_PARAMETERS = ['note', 'post', 'was']
export const NOT_SENT = 'nonet cannot be reached; nothing was sent. Try again.'

/** Sends the body and shows the posts and the note of the page that follows; false on an error. */
export async function sendForm(url: string, body: BodyInit): Promise<boolean> {
  const headers = { accept: 'text/html' }
  const response = await fetch(url, { method: 'POST', body, headers }).catch(() => undefined)
  if (response === undefined) {
    showError(NOT_SENT)
    return false
  }
  const page = parsePage(await response.text())
  showNoteOf(page, response.status)
  if (response.ok) showPosts(page, response.url)
  return response.ok
}

export function parsePage(text: string): Document {
  return new DOMParser().parseFromString(text, 'text/html')
}

function showPosts(page: Document, url: string): void {
  const next = page.querySelector('#posts')
  if (next !== null) document.querySelector('#posts')?.replaceWith(next)
  const shown = new URL(url)
  for (const name of NOTE_PARAMETERS) shown.searchParams.delete(name)
  history.replaceState(null, '', shown)
}

/** A deletion leads to its undo, everything else stays at the post. */
function focusAfter(form: HTMLFormElement): void {
  const undo = document.querySelector<HTMLElement>('#note button')
  const id = form.closest('li')?.id
  const post = id === undefined ? null : document.getElementById(id)
  const control = undo ?? post?.querySelector<HTMLElement>('button, a')
  control?.focus({ preventScroll: true })
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const fields = [...new FormData(form, submitter)].map(([name, value]) => [name, String(value)])
  if (await sendForm(form.action, new URLSearchParams(fields))) focusAfter(form)
}

/** Forms with `data-fetch` are sent without a new page. */
export function prepareForms(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.dataset.fetch === undefined) return
    event.preventDefault()
    // A disabled button would lose the focus.
    if (form.ariaBusy === 'true') return
    form.ariaBusy = 'true'
    send(form, event.submitter).finally(() => {
      form.ariaBusy = null
    })
  })
}
