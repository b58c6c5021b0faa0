import { html, type Markup } from '../../../../kernel/html.ts'
import { emptyState, time } from '../../../../kernel/page-parts.ts'
import type { Change } from '../../store/changes.ts'
import type { BoxStore } from '../../store/store.ts'
import { type PageRequest, pageUrl } from '../page-request.ts'
import { revisionText } from '../record-panel.ts'

const MAX_CHANGES = 50

const TEXTS = {
  empty: 'No changes here',
  emptyNext: 'Every record that is stored, changed or deleted from now on appears here.',
  note: 'A box keeps its newest 10,000 changes. Follow them as events, or read them with their records:',
  older: 'Older',
  newest: 'Newest'
}

const METHODS: Readonly<Record<Change['op'], string>> = {
  create: 'post',
  update: 'put',
  delete: 'delete'
}

export async function changesTab(store: BoxStore, look: PageRequest, url: string): Promise<Markup> {
  const seen = await store.look(look.box, look.key)
  const last = /^\d{1,16}$/.test(look.cursor) ? Number(look.cursor) : (seen?.head ?? 0)
  const found =
    seen === undefined
      ? []
      : await store.recentChanges(seen.pk, Math.min(last, seen.head), MAX_CHANGES + 1)
  const changes = found.slice(0, MAX_CHANGES)
  const older = found[MAX_CHANGES]?.seq
  return html`<section class="panel" aria-label="Changes"><div id="list">${changes.length === 0 ? emptyState(TEXTS.empty, TEXTS.emptyNext) : changeTable(look.box, changes)}</div>
<p class="box-foot"><span class="soft">Newest first</span><span class="box-pages">${look.cursor !== '' && html`<a class="chip" href="${pageUrl({ ...look, cursor: '' })}">${TEXTS.newest}</a>`}
${older !== undefined && html`<a class="chip" href="${pageUrl({ ...look, cursor: String(older) })}">${TEXTS.older}</a>`}</span></p></section>
<p class="small soft">${TEXTS.note} <code>GET ${new URL(url).pathname.replace('/', '/_changes/')}</code></p>`
}

function changeTable(box: string, changes: readonly Change[]): Markup {
  return html`<table class="stack box-changes"><thead><tr><th scope="col">What</th><th scope="col">Record</th><th scope="col">Revision</th><th scope="col">Collection</th><th scope="col">When</th></tr></thead>
<tbody id="records">${changes.map(
    ({ seq, op, id, rev, collection, at }) =>
      html`<tr id="c-${seq}" data-rev="${rev}"><td><span class="method ${METHODS[op]}">${op}</span></td><td>${op === 'delete' ? html`<code>${id}</code>` : html`<a id="l-${seq}" href="${pageUrl({ box, record: id })}"><code>${id}</code></a>`}</td><td>${revisionText(rev).replace(/^revision /, '')}<span class="noun soft"> revision</span></td><td>${collection}</td><td class="soft">${time(at)}</td></tr>
`
  )}</tbody></table>`
}
