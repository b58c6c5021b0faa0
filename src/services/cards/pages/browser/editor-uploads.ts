import { number } from './editor-images.ts'
import { lookForChanges } from './editor-live.ts'
import { adopt, form, messageOf, type Response, showError } from './editor-request.ts'

const IMAGE = /^image\//

interface Progress {
  readonly file: File
  /** From 0 to 1; 1 means that the service works on it. */
  readonly show: (part: number) => void
  readonly end: (error?: string) => void
}

/** One at a time, so that the order of the images is that of the files. */
let queue: Promise<void> = Promise.resolve()

/** Files that were chosen; a new card gets them with the form. */
export function addFiles(input: HTMLInputElement): void {
  const { upload } = dropArea()?.dataset ?? {}
  if (upload === undefined) {
    listChosen(input)
    return
  }
  const files = [...(input.files ?? [])]
  input.value = ''
  send(files, upload)
}

/** Dropped or pasted files. */
function take(files: readonly File[]): void {
  if (files.length === 0) return
  const { upload } = dropArea()?.dataset ?? {}
  if (upload !== undefined) {
    send(files, upload)
    return
  }
  const input = document.querySelector<HTMLInputElement>('#f-file')
  if (input === null) return
  const all = new DataTransfer()
  for (const file of [...(input.files ?? []), ...files]) all.items.add(file)
  input.files = all.files
  listChosen(input)
}

function dropArea(): HTMLElement | null {
  return document.querySelector<HTMLElement>('#drop')
}

function send(files: readonly File[], url: string): void {
  for (const file of files) {
    const progress = addProgress(file)
    const error = findSizeError(file)
    if (error !== undefined) progress.end(error)
    else queue = queue.then(() => sendOne(progress, new URL(url, location.href).href))
  }
}

function findSizeError({ size }: File): string | undefined {
  const max = Number(dropArea()?.dataset.maxBytes)
  return size > max ? `This file is too large; the maximum is ${max} bytes.` : undefined
}

function addProgress(file: File): Progress {
  const item = document.createElement('li')
  const name = document.createElement('bdi')
  const about = document.createElement('span')
  const bar = document.createElement('progress')
  name.textContent = file.name || 'Pasted image'
  Object.assign(bar, { max: 1, value: 0, ariaLabel: `Upload of ${name.textContent}` })
  item.append(name, about, bar)
  document.querySelector('#uploads')?.append(item)
  return {
    file,
    show(part) {
      bar.value = part
      about.textContent = part < 1 ? `${Math.round(part * 100)} %` : 'Processing …'
    },
    end(error) {
      bar.remove()
      about.className = error === undefined ? 'soft' : 'bad'
      about.textContent = error ?? 'Stored'
      if (error === undefined) setTimeout(() => item.remove(), 4000)
    }
  }
}

async function sendOne(progress: Progress, url: string): Promise<void> {
  const { file, show, end } = progress
  const revision = form()?.querySelector<HTMLInputElement>('[name="revision"]')
  const body = new FormData()
  body.append('revision', revision?.value ?? '')
  body.append('file', file, file.name || `pasted.${file.type.split('/')[1] ?? 'png'}`)
  const response = await transfer(url, body, show)
  if (response.status !== 200) return end(messageOf(response))
  end()
  if (revision !== null && revision !== undefined) revision.value = String(response.data.revision)
  showAdded(response, url)
  // The change may have been told before its response came.
  lookForChanges()
}

/** `fetch` tells nothing about the progress of an upload. */
function transfer(url: string, body: FormData, show: (part: number) => void): Promise<Response> {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const request = new XMLHttpRequest()
  request.upload.addEventListener('progress', ({ loaded, total }) => show(loaded / total))
  request.addEventListener('load', () => resolve(responseOf(request)))
  request.addEventListener('error', () => resolve({ status: 0, data: {} }))
  request.open('POST', url)
  request.setRequestHeader('accept', 'application/json')
  request.send(body)
  return promise
}

function responseOf({ status, responseText }: XMLHttpRequest): Response {
  try {
    return { status, data: JSON.parse(responseText) }
  } catch {
    return { status, data: {} }
  }
}

function showAdded({ data }: Response, base: string): void {
  const lists = { images: '#images', others: '#others' }
  for (const [name, selector] of Object.entries(lists)) {
    for (const markup of Array.isArray(data[name]) ? data[name] : []) {
      document.querySelector(selector)?.append(adopt(String(markup), base))
    }
  }
  number()
  const chosen = document.querySelector<HTMLInputElement>('[name="cover"]:checked')
  if ((chosen?.value ?? '') !== '') return
  const cover = document.querySelector<HTMLInputElement>(`[name="cover"][value="${data.cover}"]`)
  if (cover !== null) cover.checked = true
}

function listChosen(input: HTMLInputElement): void {
  document.querySelector('#uploads')?.replaceChildren()
  const files = [...(input.files ?? [])]
  const max = Number(dropArea()?.dataset.maxFiles)
  if (files.length > max) showError('file', `Choose ${max} files at most.`)
  chosenFiles = files.map(addProgress)
  for (const { file, end } of chosenFiles) {
    const error = findSizeError(file)
    if (error !== undefined) end(error)
  }
}

let chosenFiles: readonly Progress[] = []

/** The whole form with its files; the progress of the request is that of one file after another. */
export function sendNewCard(sent: HTMLFormElement): Promise<Response> {
  const total = chosenFiles.reduce((sum, { file }) => sum + file.size, 0)
  return transfer(sent.action, new FormData(sent), (part) => {
    let done = part * total
    for (const { file, show } of chosenFiles) {
      show(file.size === 0 ? 1 : Math.min(1, Math.max(0, done / file.size)))
      done -= file.size
    }
  })
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true
}

document.addEventListener('dragover', (event) => {
  if (!hasFiles(event)) return
  event.preventDefault()
  document.body.classList.add('dragging')
})
document.addEventListener('dragleave', ({ relatedTarget }) => {
  if (relatedTarget === null) document.body.classList.remove('dragging')
})
document.addEventListener('drop', (event) => {
  document.body.classList.remove('dragging')
  if (!hasFiles(event)) return
  event.preventDefault()
  take([...(event.dataTransfer?.files ?? [])])
})
/** Text is pasted where the cursor is; an image has no text. */
document.addEventListener('paste', (event) => {
  const { clipboardData } = event
  const files = [...(clipboardData?.files ?? [])].filter(({ type }) => IMAGE.test(type))
  if (files.length === 0 || (clipboardData?.getData('text/plain') ?? '') !== '') return
  event.preventDefault()
  take(files)
})
