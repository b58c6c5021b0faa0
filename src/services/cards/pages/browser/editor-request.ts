export interface Response {
  /** 0 if there is no response. */
  readonly status: number
  readonly data: Readonly<Record<string, unknown>>
}

export function form(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>('#editor')
}

/** The revision of the card that the form shows. */
export function revisionOf(): string {
  return form()?.querySelector<HTMLInputElement>('[name="revision"]')?.value ?? ''
}

export function status(text: string, isBad = false): void {
  const element = document.querySelector('#status')
  if (element === null) return
  element.textContent = text
  element.classList.toggle('bad', isBad)
}

export async function post(url: string, body: URLSearchParams | FormData): Promise<Response> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body
    })
    return { status: response.status, data: await response.json() }
  } catch {
    return { status: 0, data: {} }
  }
}

/** The sentence of an error. */
export function messageOf({ status: code, data }: Response): string {
  if (code === 0) return 'The service does not respond; nothing is lost, try again.'
  return typeof data.message === 'string' ? data.message : `The service sent the status ${code}.`
}

export function report(response: Response): void {
  status(messageOf(response), true)
}

/** Sentences beside their fields; the first field gets the focus. */
export function showErrors(response: Response): void {
  clearErrors()
  const errors = Object.entries(Object(response.data.errors))
  for (const [name, text] of errors) showError(name, String(text))
  const isField = fieldOf(response)
  if (isField !== undefined) showError(isField, `${messageOf(response)}.`)
  const [first] = errors.length > 0 ? errors.map(([name]) => name) : [isField]
  const target = first === undefined ? null : document.getElementById(`f-${first}`)
  target?.focus()
  const isNamed = errors.length > 0 || isField !== undefined
  status(isNamed ? 'Not saved: look at the marked fields.' : messageOf(response), true)
}

function fieldOf({ data }: Response): string | undefined {
  if (data.error === 'SLUG_USED') return 'slug'
  return data.error === 'BODY_TOO_LARGE' ? 'file' : undefined
}

function clearErrors(): void {
  for (const element of document.querySelectorAll<HTMLElement>('.editor .error')) {
    element.hidden = true
    element.textContent = ''
  }
  for (const element of document.querySelectorAll('.editor [aria-invalid]')) {
    element.removeAttribute('aria-invalid')
  }
}

export function showError(name: string, text: string): void {
  const error = document.getElementById(`error-${name}`)
  const control = document.getElementById(`f-${name}`)
  if (error === null) return
  error.textContent = text
  error.hidden = false
  error.closest('details')?.setAttribute('open', '')
  control?.setAttribute('aria-invalid', 'true')
  const described = new Set((control?.getAttribute('aria-describedby') ?? '').split(' '))
  described.add(error.id)
  control?.setAttribute('aria-describedby', [...described].join(' ').trim())
}

/** Markup of a response, whose relative URLs are relative to the response. */
export function adopt(markup: string, base: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = markup
  for (const name of ['src', 'href', 'formaction']) {
    for (const element of template.content.querySelectorAll(`[${name}]`)) {
      const value = element.getAttribute(name) ?? ''
      if (!value.startsWith('#')) element.setAttribute(name, new URL(value, base).href)
    }
  }
  return template.content
}
