/** Makes the catalogue faster to use: search, tries and code in the page, the current group. */
import { prepareSearch } from './search.ts'
import { prepareTries } from './try.ts'

/** Shows the code of a scenario below it, or hides it again; the server renders it. */
async function toggleCode(link: HTMLAnchorElement): Promise<void> {
  const entry = link.closest('li')
  if (entry === null) return
  const shown = entry.querySelector<HTMLElement>('.detail')
  if (shown !== null) {
    shown.hidden = !shown.hidden
  } else {
    const response = await fetch(link.href)
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const detail = page.querySelector(`#${entry.id} .detail`)
    if (detail !== null && entry.querySelector('.detail') === null) entry.append(detail)
  }
  link.setAttribute('aria-expanded', String(entry.querySelector('.detail:not([hidden])') !== null))
}

for (const link of document.querySelectorAll<HTMLAnchorElement>('.acts > a:not([data-try])')) {
  link.setAttribute('role', 'button')
  const isShown = link.closest('li')?.querySelector('.detail') !== null
  link.setAttribute('aria-expanded', String(isShown))
  link.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    toggleCode(link).catch(() => location.assign(link.href))
  })
  // A button reacts to the space bar, too.
  link.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return
    event.preventDefault()
    link.click()
  })
}

/** Marks the group that is being read in the index. */
function followGroups(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.index nav a')].map((link) => [
      link.hash.slice(1),
      link
    ])
  )
  const titles = [...document.querySelectorAll<HTMLElement>('.found [data-group] > h2')]
  const mark = () => {
    const passed = titles.filter(
      (title) => title.offsetParent !== null && title.getBoundingClientRect().top < 150
    )
    const current = passed.at(-1)?.id
    for (const [id, link] of links) {
      if (id === current) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }
  document.addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true })
  mark()
  // On a phone the index would cover what it leads to.
  for (const link of links.values()) {
    link.addEventListener('click', () => link.closest('details')?.removeAttribute('open'))
  }
}

prepareSearch()
prepareTries()
followGroups()
