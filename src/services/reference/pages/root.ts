import { html, type Markup } from '../../../kernel/html.ts'
import type { Page } from '../../../kernel/page.ts'
import { codeTabs } from '../../../kernel/page-parts.ts'
import { RESOURCES, TYPES, type TypeName } from '../contract.ts'
import { type Entry, nameOf, type Universe } from '../dataset/universe.ts'
import { NO_PARAMETERS } from '../query/parameters.ts'
import { otherRepresentations, thumbnail, typeTabs } from './links.ts'
import { referenceStyle } from './style.ts'
import { ABOUT } from './wording.ts'

const MAX_POSTERS = 12

export function rootPage(universe: Universe, base: string): Page {
  const { name, summary, era } = universe
  return {
    title: name,
    crumbs: [{ text: 'reference' }],
    tabs: typeTabs(),
    style: referenceStyle(),
    main: html`<p class="lead">${summary}</p>
<p>For unchanged clients of SWAPI, whose numbers have no units: <code class="fit">--reference-units off</code></p>
<ul class="catalog kinds">${TYPES.map((type) => kind(universe, type))}</ul>
${posters(universe)}
<h2>From a program</h2>
<p>Every page is the view of a URL of the API: open it in a browser, or request it as JSON.</p>
${codeTabs('sample', [
  { label: 'curl', language: 'shell', text: `curl '${sampleUrl(base)}'` },
  { label: 'fetch', language: 'script', text: fetchSample(base) }
])}
<p class="soft">Years are counted from one event: ${era.before} before it, ${era.after} after it. ${era.event}</p>`,
    foot: otherRepresentations('/api/', NO_PARAMETERS)
  }
}

function kind({ types }: Universe, type: TypeName): Markup {
  const [first] = types[type].keys()
  return html`<li>${first !== undefined && thumbnail(type, first, 72)}<div><a href="/api/${type}/">${RESOURCES[type].title}</a> <span class="soft">${types[type].size}</span>
<p>${ABOUT[type]}</p></div></li>
`
}

/** The films in the order of their episodes. */
function posters({ types }: Universe): Markup | false {
  const films = [...types.films.values()]
    .sort((one, other) => Number(one.values.episode_id) - Number(other.values.episode_id))
    .slice(0, MAX_POSTERS)
  return (
    films.length > 0 &&
    html`<h2>Films</h2>
<ul class="posters">${films.map(poster)}</ul>`
  )
}

function poster(film: Entry): Markup {
  const { id, values } = film
  return html`<li><a class="film quietly" href="/api/films/${id}/"><img class="poster" src="/api/films/${id}/image.svg" alt="" width="320" height="320" loading="lazy">${nameOf('films', film)}</a>
<small class="soft">Episode ${String(values.episode_id)}, ${String(values.release_date).slice(0, 4)}</small></li>
`
}

function sampleUrl(base: string): string {
  return `${base}/api/people/?height__gte=180&ordering=-height&fields=name,height`
}

function fetchSample(base: string): string {
  return `const response = await fetch('${sampleUrl(base)}')
const { count, results } = await response.json()`
}
