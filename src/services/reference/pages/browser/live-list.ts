/** Shows the result of a search, an order or a filter while it is changed. */
const DELAY_MS = 150
const form = document.querySelector<HTMLFormElement>('#filters')
const results = document.querySelector('#results')
const count = document.querySelector('#count')
let timer: ReturnType<typeof setTimeout> | undefined
let requests = 0

/** The URL of the list, without the fields that are empty. */
function urlOf(filters: HTMLFormElement): string {
  const fields = [...new FormData(filters)].map(([name, value]) => [name, String(value)])
  const query = new URLSearchParams(fields)
  return query.size === 0 ? filters.action : `${filters.action}?${query}`
}

async function show(filters: HTMLFormElement): Promise<void> {
  if (!filters.checkValidity()) return
  const url = urlOf(filters)
  const request = ++requests
  const response = await fetch(url, { headers: { accept: 'text/html' } })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  // A later request shows the result of what was changed since.
  if (request !== requests) return
  const next = page.querySelector('#results')
  if (next === null) {
    location.assign(url)
    return
  }
  results?.replaceChildren(...next.childNodes)
  if (count !== null) count.textContent = page.querySelector('#count')?.textContent ?? ''
  history.replaceState(null, '', url)
}

if (form !== null) {
  // Without a script a URL has all fields of the form.
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === '') formData.delete(name)
  })
  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      show(form).catch(() => {
        if (count !== null) count.textContent = 'The list is not up to date: no connection.'
      })
    }, DELAY_MS)
  })
}
