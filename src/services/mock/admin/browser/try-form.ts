/** Sends the request without leaving the page, so that the form and the scroll position stay. */
const form = document.querySelector<HTMLFormElement>('form#request')

function isPlainSend(submitter: HTMLElement | null): boolean {
  return submitter === null || submitter.getAttribute('name') === null
}

function setBusy(isBusy: boolean): void {
  document.querySelector('#response')?.setAttribute('aria-busy', String(isBusy))
}

/** Shows the response panel of the page that the server sent. */
function showResult(text: string): boolean {
  const page = new DOMParser().parseFromString(text, 'text/html')
  const next = page.querySelector('#response')
  const current = document.querySelector('#response')
  if (next === null || current === null) return false
  // An error is shown above the form.
  const error = page.querySelector('.note[role="alert"]')
  document.querySelector('.note[role="alert"]')?.remove()
  if (error !== null) form?.before(error)
  current.replaceWith(next)
  const isVisible = next.getBoundingClientRect().top < innerHeight
  if (error === null && !isVisible) next.scrollIntoView()
  return true
}

async function send(): Promise<void> {
  if (form === null) return
  const fields = new URLSearchParams()
  for (const [name, value] of new FormData(form)) fields.append(name, String(value))
  setBusy(true)
  try {
    const response = await fetch(form.action, {
      method: 'POST',
      body: fields,
      headers: { accept: 'text/html' }
    })
    if (!showResult(await response.text())) form.submit()
  } catch {
    // Without a connection the browser shows its own error.
    form.submit()
  } finally {
    setBusy(false)
  }
}

form?.addEventListener('submit', (event) => {
  if (!isPlainSend(event.submitter)) return
  event.preventDefault()
  void send()
})

form?.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  void send()
})
