const SHOWN_MS = 10_000
let timer: ReturnType<typeof setTimeout> | undefined

/** Above everything else, because forms are sent without a new page. */
function show(...nodes: Node[]): void {
  const note = document.querySelector('#note')
  note?.classList.add('floating')
  note?.replaceChildren(...nodes)
  clearTimeout(timer)
  // An error, and what can be undone, stay until the next form.
  const stays = note?.querySelector('[role="alert"], button')
  if (!stays) timer = setTimeout(hideNote, SHOWN_MS)
}

/** The note of a page that was received; an error if it has none. */
export function showNoteOf(page: Document, status: number): void {
  const received = page.querySelector('#note')
  if (received === null) showError(`nonet responded with status ${status}; reload the page`)
  else show(...received.childNodes)
}

export function showError(text: string): void {
  const note = document.createElement('div')
  note.className = 'note'
  note.role = 'alert'
  const line = document.createElement('p')
  line.textContent = text
  note.append(line)
  show(note)
}

export function hideNote(): void {
  document.querySelector('#note')?.replaceChildren()
}
