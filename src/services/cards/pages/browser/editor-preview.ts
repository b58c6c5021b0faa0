import { adopt, form, post, report } from './editor-request.ts'

const PAUSE_MS = 300

let timer: ReturnType<typeof setTimeout> | undefined
let shown = ''

/** Shows or hides the description as the public sees it. */
export function showPreview(button: HTMLButtonElement): void {
  const panel = document.querySelector<HTMLElement>('#preview')
  if (panel === null) return
  panel.hidden = !panel.hidden
  button.ariaExpanded = String(!panel.hidden)
  shown = ''
  if (!panel.hidden) render()
}

/** After a pause, while the text is typed. */
export function updatePreview(): void {
  clearTimeout(timer)
  if (document.querySelector('#preview:not([hidden])') !== null)
    timer = setTimeout(render, PAUSE_MS)
}

async function render(): Promise<void> {
  const panel = document.querySelector('#preview')
  const text = document.querySelector<HTMLTextAreaElement>('#f-description')?.value ?? ''
  const action = document.querySelector<HTMLButtonElement>('button[data-preview]')?.formAction
  if (panel === null || action === undefined || shown === `${text}\n`) return
  shown = `${text}\n`
  const revision = form()?.querySelector<HTMLInputElement>('[name="revision"]')?.value ?? '0'
  const response = await post(action, new URLSearchParams({ description: text, revision }))
  if (response.status !== 200) return report(response)
  if (shown === `${text}\n`) panel.replaceChildren(adopt(String(response.data.html), action))
}
