// Imports a board with its progress, and takes files that are dropped on the form.

const POLL_MS = 500
const INTERRUPTED = 'The upload was interrupted; send it again.'

const form = document.querySelector<HTMLFormElement>('#import-form')
const state = document.querySelector<HTMLElement>('#import-state')
if (form !== null && state !== null) prepare(form, state)

function prepare(form: HTMLFormElement, state: HTMLElement): void {
  const input = form.querySelector<HTMLInputElement>('input[type=file]')
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.ariaBusy === 'true') return
    form.ariaBusy = 'true'
    importBoard(form, state).finally(() => {
      form.ariaBusy = null
    })
  })
  for (const name of ['dragenter', 'dragover']) {
    form.addEventListener(name, (event) => {
      event.preventDefault()
      form.classList.add('over')
    })
  }
  form.addEventListener('dragleave', () => form.classList.remove('over'))
  form.addEventListener('drop', (event) => {
    event.preventDefault()
    form.classList.remove('over')
    const files = event.dataTransfer?.files
    if (input === null || files === undefined || files.length === 0) return
    input.files = files
    form.requestSubmit()
  })
}

async function importBoard(form: HTMLFormElement, state: HTMLElement): Promise<void> {
  const request = await upload(form, state)
  if (request === undefined) return showError(state, INTERRUPTED)
  const sent: { job?: string; message?: string } = parse(request.responseText)
  if (request.status !== 200 || sent.job === undefined) {
    return showError(state, sent.message ?? INTERRUPTED)
  }
  await follow(new URL(`import/${sent.job}`, document.baseURI).href, state)
}

function parse(text: string): object {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** `fetch` does not tell the progress of an upload. Undefined if the connection was lost. */
function upload(form: HTMLFormElement, state: HTMLElement): Promise<XMLHttpRequest | undefined> {
  const { promise, resolve } = Promise.withResolvers<XMLHttpRequest | undefined>()
  const bar = document.createElement('progress')
  bar.setAttribute('aria-label', 'Upload')
  state.replaceChildren(bar)
  const request = new XMLHttpRequest()
  request.open('POST', form.action)
  request.setRequestHeader('accept', 'application/json')
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    bar.max = total
    bar.value = loaded
  })
  request.addEventListener('load', () => resolve(request))
  for (const name of ['error', 'abort', 'timeout']) {
    request.addEventListener(name, () => resolve(undefined))
  }
  request.send(new FormData(form))
  return promise
}

/** Until the import has ended: its page has a progress bar as long as it runs. */
async function follow(url: string, state: HTMLElement): Promise<void> {
  for (;;) {
    const response = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => undefined)
    if (response?.ok !== true) return showError(state, INTERRUPTED)
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const next = page.querySelector('#import-state')
    if (next === null) return showError(state, INTERRUPTED)
    for (const link of next.querySelectorAll('a')) {
      link.href = new URL(link.getAttribute('href') ?? '', url).href
    }
    state.replaceChildren(...next.childNodes)
    if (state.querySelector('progress') === null) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

function showError(state: HTMLElement, message: string): void {
  const note = document.createElement('p')
  note.className = 'note'
  note.role = 'alert'
  note.textContent = message
  state.replaceChildren(note)
}
