import { sendForm } from './forms.ts'
import { hideNote, showError } from './note.ts'
import { Tiles } from './tiles.ts'

const find = <T extends Element>(selector: string) => document.querySelector<T>(selector)

/** Counter, images by choosing, dropping and pasting, Ctrl+Enter, and a draft for each account. */
export function prepareComposer(): void {
  const form = find<HTMLFormElement>('#compose')
  const text = find<HTMLTextAreaElement>('#text')
  const list = find<HTMLElement>('#tiles')
  const files = find<HTMLInputElement>('#files')
  if (form === null || text === null || list === null || files === null) return
  const { account = '', max = '' } = form.dataset
  const tiles = new Tiles(form, list, files)
  const draft = openDraft(`nonet-draft-${account}`)
  if (text.value === '') text.value = draft.load()
  const count = () => showCount(text, Number(max))
  count()

  text.addEventListener('input', () => {
    draft.save(text.value)
    count()
  })
  text.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    form.requestSubmit()
  })
  prepareImages(form, files, tiles)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.ariaBusy === 'true') return
    form.ariaBusy = 'true'
    sendForm(form.action, bodyOf(form, tiles))
      .then((isPosted) => {
        if (!isPosted) return
        draft.save('')
        form.reset()
        text.value = ''
        tiles.clear()
        find('#reply')?.remove()
        count()
        text.focus()
      })
      .finally(() => {
        form.ariaBusy = null
      })
  })
}

function prepareImages(form: HTMLFormElement, files: HTMLInputElement, tiles: Tiles): void {
  const pick = find<HTMLButtonElement>('#pick')
  const panel = form.parentElement
  find('#plain-images')?.remove()
  if (pick === null || panel === null) return
  const add = (chosen: Iterable<File>) => {
    const reason = tiles.add(chosen)
    if (reason === undefined) hideNote()
    else showError(reason)
  }
  pick.hidden = false
  pick.addEventListener('click', () => files.click())
  files.addEventListener('change', () => {
    add([...(files.files ?? [])])
    files.value = ''
  })
  form.addEventListener('paste', (event) => {
    const pasted = [...(event.clipboardData?.files ?? [])]
    if (pasted.length === 0) return
    event.preventDefault()
    add(pasted)
  })
  panel.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    panel.classList.add('over')
  })
  for (const end of ['dragleave', 'drop']) {
    panel.addEventListener(end, () => panel.classList.remove('over'))
  }
  panel.addEventListener('drop', (event) => {
    const dropped = [...(event.dataTransfer?.files ?? [])]
    if (dropped.length === 0) return
    event.preventDefault()
    add(dropped)
  })
}

/** Fields first, then each image with its description. */
function bodyOf(form: HTMLFormElement, tiles: Tiles): FormData {
  const body = new FormData(form)
  for (const { file, alt } of tiles.images) {
    body.append('media', file)
    body.append('alt', alt)
  }
  return body
}

/** Code points, as the service counts them. */
function showCount(text: HTMLTextAreaElement, max: number): void {
  const counter = find('#counter')
  if (counter === null) return
  const length = [...text.value.trimEnd()].length
  counter.textContent = `${length.toLocaleString('en')} / ${max.toLocaleString('en')}`
  counter.classList.toggle('over', length > max)
}

/** Kept until the tab is closed; without it if the browser does not allow to store anything. */
function openDraft(key: string) {
  return {
    load(): string {
      try {
        return sessionStorage.getItem(key) ?? ''
      } catch {
        return ''
      }
    },
    save(text: string): void {
      try {
        if (text === '') sessionStorage.removeItem(key)
        else sessionStorage.setItem(key, text)
      } catch {
        // The text stays in the page.
      }
    }
  }
}
