import { html } from '../../../kernel/html.ts'
import type { Page } from '../../../kernel/page.ts'
import { codeTabs } from '../../../kernel/page-parts.ts'
import { RESOURCES, TYPES } from '../contract.ts'
import type { Universe } from '../dataset/universe.ts'
import { linkTo, otherRepresentations } from './links.ts'

export function rootPage(universe: Universe, base: string): Page {
  const { name, summary, era, types } = universe
  const firsts = TYPES.flatMap((type) =>
    [...types[type].keys()].slice(0, 1).map((id) => linkTo(universe, type, id))
  )
  return {
    title: name,
    crumbs: [{ text: 'reference' }],
    main: html`<p class="lead">${summary}</p>
<p>Years are counted from one event: ${era.before} before it, ${era.after} after it. ${era.event}</p>
<div class="wide" tabindex="0" role="region" aria-label="Types"><table>
<thead><tr><th scope="col">Type</th><th scope="col" class="number">Records</th><th scope="col">What it is</th></tr></thead>
<tbody>
${TYPES.map(
  (type) => html`<tr><th scope="row"><a href="/api/${type}/">${RESOURCES[type].title}</a></th>
<td class="number">${types[type].size}</td><td>${RESOURCES[type].about}</td></tr>
`
)}</tbody>
</table></div>
<h2>Start reading</h2>
<ul>${firsts.map((first) => html`<li>${first}</li>`)}</ul>
<h2>From a program</h2>
${codeTabs('sample', [
  { label: 'curl', language: 'shell', text: `curl ${base}/api/people/1/` },
  { label: 'fetch', language: 'script', text: fetchSample(base) }
])}`,
    foot: otherRepresentations('/api/')
  }
}

function fetchSample(base: string): string {
  return `const response = await fetch('${base}/api/people/1/')
const person = await response.json()`
}
