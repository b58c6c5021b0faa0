/** What a browser finds in a page of statuses. */
export interface ParsedPage {
  title: string
  /** Texts of posts. */
  contents: string[]
  summaries: string[]
  alts: string[]
  /** Names of authors. */
  names: string[]
  bio: string | undefined
  location: string | undefined
  /** The value of the search field. */
  query: string | undefined
  /** JSON-LD. */
  data: {
    text?: string
    author?: { name: string }
    mainEntity?: { description: string }
  }[]
}

/** Parses pages without showing them; runs in a browser, so it uses nothing outside. */
export function readPages(all: readonly string[]): ParsedPage[] {
  return all.map((html) => {
    const page = new DOMParser().parseFromString(html, 'text/html')
    const elements = (selector: string) => [...page.querySelectorAll(selector)]
    const texts = (selector: string) => elements(selector).map(({ textContent }) => textContent)
    return {
      title: page.title,
      contents: texts('.e-content'),
      summaries: texts('.p-summary'),
      alts: elements('figure img').map((image) => image.getAttribute('alt') ?? ''),
      names: texts('.p-author .p-name'),
      bio: texts('.p-note')[0],
      location: texts('.p-locality')[0],
      query: page.querySelector<HTMLInputElement>('input[name=q]')?.value,
      data: texts('script[type="application/ld+json"]').map((text) => JSON.parse(text))
    }
  })
}

/**
 * Elements and attributes of a page that only a text can have brought: of the given pages, or of
 * the one that is shown. Runs in a browser, so it uses nothing outside.
 */
export function findMarkup(all?: readonly string[]): string[] {
  const pages = all?.map((html) => new DOMParser().parseFromString(html, 'text/html'))
  const targets = ['href', 'xlink:href', 'src', 'srcset', 'action', 'formaction', 'poster', 'cite']
  const isLocalOrWeb = (url: string) => /^(?:https?:\/\/|\/(?!\/)|#|data:,$)/.test(url)

  function isForeign({ localName, attributes }: Element): boolean {
    const values = new Map([...attributes].map(({ name, value }) => [name, value]))
    const isData = values.get('type') === 'application/ld+json'
    if (localName === 'script' && !isData && values.get('src') !== '/application.js') return true
    return [...values].some(([name, value]) => {
      if (name.startsWith('on') || name === 'srcdoc' || name === 'http-equiv') return true
      if (name === 'id' || name === 'class') return value.includes('xss')
      return targets.includes(name) && !isLocalOrWeb(value)
    })
  }

  const elements = (pages ?? [document]).flatMap((page) => [...page.querySelectorAll('*')])
  return elements.filter(isForeign).map(({ outerHTML }) => outerHTML.slice(0, 200))
}
