/**
 * Browser script of the card editor: saves without a new page, shows the preview beside the text,
 * uploads files at once, and warns before unsaved changes are left. The form also works without it.
 */
import { keepState } from './editor-choices.ts'
import { keepDraft } from './editor-draft.ts'
import { arrangeImage } from './editor-images.ts'
import { followBoard, lookForChanges } from './editor-live.ts'
import { showPreview, updatePreview } from './editor-preview.ts'
import { form, post, report, revisionOf, showErrors, status } from './editor-request.ts'
import { addFiles, sendNewCard } from './editor-uploads.ts'

const SAVING = 'Saving …'
const UNSAVED = 'Unsaved changes'

let isSaving = false
const draft = keepDraft(form())

document.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLElement) || form() === null || !form()?.contains(target)) return
  if (target instanceof HTMLInputElement && target.type === 'file') return
  markChanged()
  keepState(target)
  if (target.id === 'f-description') updatePreview()
})

document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.id === 'f-file') addFiles(target)
})
// Files that were chosen before this script was loaded.
const chosen = document.querySelector<HTMLInputElement>('#f-file')
if (chosen?.files?.length) addFiles(chosen)

document.addEventListener('click', (event) => {
  const { target } = event
  const button = target instanceof Element ? target.closest('button') : null
  if (button === null || button.form !== form()) return
  if (button.dataset.preview !== undefined) {
    event.preventDefault()
    showPreview(button)
  } else if (button.dataset.check !== undefined) {
    event.preventDefault()
    tick(button)
  } else if (arrangeImage(button)) {
    event.preventDefault()
    markChanged()
  }
})

document.addEventListener('submit', (event) => {
  if (event.target !== form()) return
  event.preventDefault()
  save()
})

document.addEventListener('keydown', (event) => {
  if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  form()?.requestSubmit(document.querySelector<HTMLButtonElement>('#save'))
})

addEventListener('beforeunload', (event) => {
  if (draft.isChanged()) event.preventDefault()
})

function markChanged(): void {
  draft.store()
  if (!isSaving) status(draft.isChanged() ? UNSAVED : '')
}

/** New cards go to their page; others stay on theirs, which is read again. */
async function save(): Promise<void> {
  const sent = form()
  if (sent === null || isSaving) return
  isSaving = true
  status(SAVING)
  const isNew = sent.dataset.card === undefined
  const response = isNew ? await sendNewCard(sent) : await post(sent.action, textsOf(sent))
  isSaving = false
  if (response.status === 409) return showConflict(sent)
  if (response.status !== 200) return showErrors(response)
  draft.forget()
  const target = new URL(sent.dataset.root + String(response.data.path), location.href)
  if (isNew) location.assign(`${target.href}?created=1`)
  else await readAgain(target)
}

/** Files are sent one by one. */
function textsOf(sent: HTMLFormElement): URLSearchParams {
  const texts = new URLSearchParams()
  for (const [name, value] of new FormData(sent)) {
    if (typeof value === 'string') texts.append(name, value)
  }
  return texts
}

/** The page with both versions, which needs no script. */
function showConflict(sent: HTMLFormElement): void {
  draft.forget()
  const files = sent.querySelector<HTMLInputElement>('#f-file')
  if (files !== null) files.value = ''
  sent.submit()
}

async function readAgain(target: URL): Promise<void> {
  const sameDepth = target.pathname.split('/').length === location.pathname.split('/').length
  if (!sameDepth) return location.assign(`${target.href}?saved=1`)
  try {
    const response = await fetch(target, { headers: { accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const isShown = document.querySelector('#preview:not([hidden])') !== null
    const main = page.querySelector('#main')
    if (!response.ok || main === null) return location.assign(target)
    document.querySelector('#main')?.replaceChildren(...main.childNodes)
    document.title = page.title
    history.replaceState(null, '', target)
    prepare()
    draft.restart(form())
    // The new page may be older than the last change that was told.
    lookForChanges()
    document.querySelector<HTMLElement>('#save')?.focus()
    status(`Saved at ${new Date().toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}.`)
    const button = document.querySelector<HTMLButtonElement>('button[data-preview]')
    if (isShown && button !== null) showPreview(button)
  } catch {
    location.assign(target)
  }
}

/** A tick is stored at once and does not change the card itself. */
async function tick(button: HTMLButtonElement): Promise<void> {
  const body = new URLSearchParams({ do: button.value, revision: revisionOf() })
  const response = await post(button.formAction, body)
  if (response.status !== 200) return report(response)
  const isComplete = response.data.isComplete === true
  button.ariaChecked = String(isComplete)
  button.value = `check:${button.dataset.check}:${isComplete ? 0 : 1}`
  const list = button.closest<HTMLElement>('[data-checklist]')
  const count = document.querySelector(`[data-done="${list?.dataset.checklist}"]`)
  const all = [...(list?.querySelectorAll('button') ?? [])]
  const done = all.filter(({ ariaChecked }) => ariaChecked === 'true').length
  if (count !== null) count.textContent = `${done} of ${all.length}`
}

/** What only pages with a script show. */
function prepare(): void {
  for (const element of document.querySelectorAll<HTMLElement>('.scripted')) element.hidden = false
}

prepare()
if (location.search.includes('saved=') || location.search.includes('created=')) {
  history.replaceState(null, '', location.pathname)
}
if (draft.restore()) {
  status('What you typed before is restored; it is not saved yet.')
  updatePreview()
}
followBoard()
