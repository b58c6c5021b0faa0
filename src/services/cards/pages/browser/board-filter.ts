import { board, required } from './board-parts.ts'
import { onRefresh, refresh } from './board-refresh.ts'

const PAUSE_MS = 250

/** Cards disappear while a text is typed; then the service selects among all cards. */
export function enableFilter(): void {
  const form = required('#filter') as HTMLFormElement
  let timer: ReturnType<typeof setTimeout> | undefined

  function fields(): { text: string; label: string } {
    const data = new FormData(form)
    return { text: String(data.get('q') ?? ''), label: String(data.get('label') ?? '') }
  }

  function hideOthers(): void {
    const { text, label } = fields()
    const words = text.toLowerCase().split(/\s+/).filter(Boolean)
    for (const tile of board.querySelectorAll<HTMLElement>('[data-card]')) {
      const { name = '', labels = '' } = tile.dataset
      const hasWords = words.every((word) => name.toLowerCase().includes(word))
      tile.hidden = !hasWords || (label !== '' && !labels.split(' ').includes(label))
    }
  }

  function select(): void {
    clearTimeout(timer)
    hideOthers()
    timer = setTimeout(() => {
      const url = new URL(location.href)
      const { text, label } = fields()
      for (const [name, value] of [
        ['q', text.trim()],
        ['label', label]
      ] as const) {
        if (value === '') url.searchParams.delete(name)
        else url.searchParams.set(name, value)
      }
      history.replaceState(null, '', url)
      refresh()
    }, PAUSE_MS)
  }

  form.addEventListener('input', select)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    select()
  })
  onRefresh(hideOthers)
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-view]')
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (link.matches('[data-clear]')) form.querySelector('input')?.focus()
    history.replaceState(null, '', link.href)
    const query = new URL(link.href).searchParams
    for (const control of form.querySelectorAll<HTMLInputElement>('[name=q], [name=label]')) {
      control.value = query.get(control.name) ?? ''
    }
    refresh()
  })
}
