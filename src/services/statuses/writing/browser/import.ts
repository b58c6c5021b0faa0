import { NOT_SENT, parsePage } from './forms.ts'
import { showError, showNoteOf } from './note.ts'

const POLL_MS = 700

const INTERRUPTED =
  'The upload was interrupted. For an archive that takes long to send, use the command: nonet import statuses <file>'

/** Sends the archive with its progress, then shows the progress and the report of the import. */
export function prepareImport(): void {
  const form = document.querySelector<HTMLFormElement>('#import-form')
  const state = document.querySelector('#import-state')
  if (form === null || state === null) return
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.ariaBusy === 'true') return
    form.ariaBusy = 'true'
    importArchive(form, state).finally(() => {
      form.ariaBusy = null
    })
  })
  const running = state.querySelector('progress') && state.querySelector<HTMLAnchorElement>('a')
  if (running) follow(running.href, state)
}

async function importArchive(form: HTMLFormElement, state: Element): Promise<void> {
  const body = new FormData(form)
  const size = body.getAll('archive').reduce((sum, one) => sum + (one as File).size, 0)
  if (size > Number(form.dataset.max)) {
    showError('The archive is too large to be sent; use the command: nonet import statuses <file>')
    return
  }
  const response = await upload(form.action, body, state)
  if (response === undefined) {
    state.replaceChildren()
    showError(INTERRUPTED)
    return
  }
  const page = parsePage(response.responseText)
  if (response.status === 200) {
    showState(state, page)
    await follow(response.responseURL, state)
  } else {
    state.replaceChildren()
    showNoteOf(page, response.status)
  }
}

/** `fetch` does not tell the progress of an upload. Undefined if the connection was lost. */
function upload(url: string, body: FormData, state: Element): Promise<XMLHttpRequest | undefined> {
  const { promise, resolve } = Promise.withResolvers<XMLHttpRequest | undefined>()
  const bar = showUpload(state)
  const request = new XMLHttpRequest()
  request.open('POST', url)
  request.setRequestHeader('accept', 'text/html')
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    bar.max = total
    bar.value = loaded
  })
  request.addEventListener('load', () => resolve(request))
  for (const name of ['error', 'abort', 'timeout']) {
    request.addEventListener(name, () => resolve(undefined))
  }
  request.send(body)
  return promise
}

function showUpload(state: Element): HTMLProgressElement {
  const line = document.createElement('p')
  line.id = 'import-progress'
  line.textContent = 'The archive is being sent.'
  const bar = document.createElement('progress')
  bar.setAttribute('aria-labelledby', line.id)
  state.replaceChildren(line, bar)
  return bar
}

/** Until the import has ended: its page has a progress bar as long as it runs. */
async function follow(url: string, state: Element): Promise<void> {
  while (state.querySelector('progress') !== null) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    const response = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => undefined)
    if (response === undefined) {
      showError(NOT_SENT)
      return
    }
    showState(state, parsePage(await response.text()))
  }
}

/** The bar is changed and not replaced, so that it moves. */
function showState(state: Element, page: Document): void {
  const next = page.querySelector('#import-state')
  if (next === null) {
    state.replaceChildren()
    showError('The import is not known any more; import the archive again')
    return
  }
  const [bar, nextBar] = [state, next].map((one) => one.querySelector('progress'))
  const isSame = state.querySelector('p')?.textContent === next.querySelector('p')?.textContent
  if (!bar || !nextBar || !isSame) state.replaceChildren(...next.childNodes)
  else {
    bar.max = nextBar.max
    if (nextBar.hasAttribute('value')) bar.value = nextBar.value
  }
}
