import { attempt } from './board-move.ts'
import { board, page, required } from './board-parts.ts'
import { onRefresh, refresh } from './board-refresh.ts'
import { send } from './board-requests.ts'

/** Forms of the page are sent without leaving it. */
export function enableForms(): void {
  page.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.method !== 'post') return
    event.preventDefault()
    void submit(form, new FormData(form, event.submitter))
  })
  document.addEventListener('click', ({ target }) => closeMenus(target))
  document.addEventListener('keydown', (event) => {
    const menu = (event.target as Element).closest('details.menu[open]')
    if (event.key !== 'Escape' || menu === null) return
    menu.removeAttribute('open')
    menu.querySelector('summary')?.focus()
  })
  onRefresh(endUndo)
  endUndo()
}

async function submit(form: HTMLFormElement, fields: FormData): Promise<void> {
  const isAdded = form.matches('[data-add]')
  const isUndo = form.matches('.undo')
  const done = await attempt(
    async () => {
      await send(form.action, fields)
    },
    () => undefined
  )
  if (!done) return
  if (isUndo) form.remove()
  const field = isAdded ? form.querySelector<HTMLInputElement>('input[name=name]') : null
  if (field === null) return
  field.value = ''
  field.focus()
}

function closeMenus(target: EventTarget | null): void {
  for (const menu of board.querySelectorAll('details.menu[open]')) {
    if (!(target instanceof Node) || !menu.contains(target)) menu.removeAttribute('open')
  }
}

let undoTimer: ReturnType<typeof setTimeout> | undefined

/** The offer ends when the service would reject it. */
function endUndo(): void {
  clearTimeout(undoTimer)
  const form = required('#undo').querySelector<HTMLElement>('form')
  if (form === null) return
  undoTimer = setTimeout(refresh, Number(form.dataset.left ?? 0) + 200)
}
