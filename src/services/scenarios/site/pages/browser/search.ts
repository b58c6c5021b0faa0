import { matchesWords } from './match-words.ts'

/** Filters the catalogue while words are typed; without it, the form loads the page again. */
export function prepareSearch(): void {
  const form = document.querySelector<HTMLFormElement>('#search')
  const field = form?.querySelector('input')
  if (!form || !field) return
  const filter = () => show(field.value.trim())
  field.addEventListener('input', filter)
  form.addEventListener('submit', (event) => {
    // The page has only what was found by the server.
    if (new URLSearchParams(location.search).has('q')) return
    event.preventDefault()
    filter()
    document.querySelector('.found')?.scrollIntoView()
  })
}

function show(words: string): void {
  let count = 0
  for (const group of document.querySelectorAll<HTMLElement>('[data-group]')) {
    const { group: title = '' } = group.dataset
    const entries = [...group.querySelectorAll<HTMLElement>('.entries > li')]
    for (const entry of entries) entry.hidden = !matchesWords(textIn(entry, title), words)
    const matching = entries.filter(({ hidden }) => !hidden).length
    group.hidden = matching === 0
    if (title !== '') count += matching
    const link = document.querySelector(`.index a[href="#${group.querySelector('h2')?.id}"]`)
    link?.parentElement?.toggleAttribute('hidden', matching === 0)
    const figure = link?.querySelector('span')
    if (figure) figure.textContent = String(matching)
  }
  toggle('introduction', words !== '')
  toggle('no-match', count > 0)
  const total = document.getElementById('count')
  if (total) total.textContent = count === 1 ? '1 scenario' : `${count} scenarios`
}

/** Name, example and sentence of an entry; not what was tried. */
function textIn(entry: HTMLElement, group: string): string {
  return `${entry.id} ${entry.firstElementChild?.textContent} ${group}`
}

function toggle(id: string, hidden: boolean): void {
  document.getElementById(id)?.toggleAttribute('hidden', hidden)
}
