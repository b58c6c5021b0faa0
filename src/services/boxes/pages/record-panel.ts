import { html, type Markup } from '../../../kernel/html.ts'
import { codeBlock, emptyState, time } from '../../../kernel/page-parts.ts'
import type { StoredRecord } from '../store/record.ts'
import { numbers } from './box-list.ts'
import { alert, boxPath, hiddenFields, jsonArea, type KeyUse, keyField } from './form-parts.ts'
import { type PageRequest, pageUrl } from './page-request.ts'
import { showText } from './record-text.ts'

const TEXTS = {
  record: 'JSON object',
  new: 'New record',
  collection: 'Collection',
  optional: '(optional)',
  store: 'Store',
  edit: 'Edit',
  save: 'Save',
  cancel: 'Cancel',
  remove: 'Delete',
  close: 'Close',
  asJson: 'Open as JSON',
  example: '{\n  "name": "Ada Lovelace",\n  "born": 1815\n}',
  verbatim: 'Saved exactly as it is here, with its spaces and digits.',
  gone: 'Record not found, or you do not have access',
  goneNext:
    'It may have been deleted. A record of a private box needs a key: enter it below the list.',
  conflict: 'Not saved: another client changed this record while you edited it',
  overwrite: 'Save my version over it',
  keep: 'Keep the stored version',
  lost: 'Not saved: another client deleted this record while you edited it',
  lostNext: 'Your text is below. Store it again under the same id, or leave the record deleted.',
  again: 'Store it again',
  deleted: 'Deleted',
  undo: 'Undo'
}

/** Why the panel shows a text that was typed. */
export interface Typed {
  readonly kind: 'rejected' | 'conflict' | 'lost'
  readonly message: string
  readonly text: string
  /** Revision that the text was made from. */
  readonly rev: number
  readonly collection: string
}

/** A deleted record; the page keeps it for the undo. */
export interface Deleted extends Omit<StoredRecord, 'rev'> {}

export interface RecordPanel {
  readonly look: PageRequest
  readonly record: StoredRecord | undefined
  readonly typed: Typed | undefined
  readonly keyUse: KeyUse
}

/** The panel beside the list; undefined if there is neither a record nor a new one. */
export function recordPanel(panel: RecordPanel): Markup | undefined {
  const { look, record, typed } = panel
  if (look.mode === 'new') return newPanel(panel)
  if (look.record === '') return undefined
  if (record === undefined) return typed === undefined ? gonePanel(look) : lostPanel(panel, typed)
  if (typed?.kind === 'conflict') return conflictPanel(panel, record, typed)
  return look.mode === 'edit' || typed !== undefined
    ? editPanel(panel, record)
    : showPanel(panel, record)
}

function panelOf(title: Markup | string, aside: Markup | false, body: Markup): Markup {
  return html`<section class="panel" id="record" tabindex="-1" aria-labelledby="record-title"><header><h2 class="panel-title" id="record-title">${title}</h2>${aside}</header>
${body}</section>`
}

function listOf({ look }: Pick<RecordPanel, 'look'>): PageRequest {
  return { ...look, record: '', mode: 'show' }
}

function revisionOf({ rev }: StoredRecord): Markup {
  return html`<span class="chip" id="revision" data-rev="${rev}" title="revision ${rev}">${revisionText(rev)}</span>`
}

/** Revisions of records that were restored, imported or created with a chosen id begin with a time. */
const LONGEST_COUNT = 1_000_000

export function revisionText(rev: number): string {
  return rev < LONGEST_COUNT ? `revision ${rev}` : `revision …${String(rev).slice(-6)}`
}

function showPanel({ look, keyUse }: RecordPanel, record: StoredRecord): Markup {
  const { id, raw, created, updated, collection } = record
  const { text, language, isWhole } = showText(raw)
  const json = `${boxPath(look.box)}/${id}`
  return panelOf(
    html`<code>${id}</code>`,
    revisionOf(record),
    html`${codeBlock(text, language, 'Record')}
${!isWhole && html`<p class="small soft">The record has ${numbers.format(Buffer.byteLength(raw))} bytes; this is its beginning. <a href="${json}">${TEXTS.asJson}</a> or edit it to see all of it.</p>`}
<dl class="parts"><dt>created</dt><dd>${time(created)}</dd>${updated !== null && html`<dt>updated</dt><dd>${time(updated)}</dd>`}${collection !== null && html`<dt>collection</dt><dd>${collection}</dd>`}</dl>
<form class="box-actions" action="/" method="post">
${hiddenFields({ ...look, mode: 'show' }, { rev: String(record.rev) })}
<a class="button" href="${pageUrl({ ...look, record: id, mode: 'edit' })}">${TEXTS.edit}</a>
<button name="action" value="delete" class="quiet bad">${TEXTS.remove}</button>
<a class="quiet" href="${json}">JSON</a>
<a class="quiet" href="${pageUrl(listOf({ look }))}">${TEXTS.close}</a>
${keyField(keyUse)}
</form>`
  )
}

function editForm(
  { look, keyUse }: RecordPanel,
  { rev, text, save }: { rev: number; text: string; save: string }
): Markup {
  return html`<form action="/" method="post">
${hiddenFields({ ...look, mode: 'edit' }, { rev: String(rev), breaks: breaksOf(text) })}
${jsonArea('text', TEXTS.record, text, { rows: 14, focus: true })}
${keyField(keyUse)}
<div class="box-actions"><button name="action" value="save">${save}</button>
<a class="quiet" href="${pageUrl({ ...look, mode: 'show' })}">${save === TEXTS.save ? TEXTS.cancel : TEXTS.keep}</a></div>
</form>`
}

/** A form sends every line break as CR LF, so it tells which the text has. */
function breaksOf(text: string): string {
  return text.includes('\r\n') ? 'crlf' : 'lf'
}

function editPanel(panel: RecordPanel, record: StoredRecord): Markup {
  const { typed } = panel
  const { rev } = typed ?? record
  return panelOf(
    html`<code>${record.id}</code>`,
    revisionOf({ ...record, rev }),
    html`${typed !== undefined && alert('Not saved', typed.message)}
${editForm(panel, { rev, text: typed?.text ?? record.raw, save: TEXTS.save })}
<p class="small soft">${TEXTS.verbatim}</p>`
  )
}

/** Both versions; a second save is over the version that is shown here. */
function conflictPanel(panel: RecordPanel, record: StoredRecord, typed: Typed): Markup {
  const { text, language } = showText(record.raw)
  const saved = html`You edited ${revisionText(typed.rev)}; ${revisionText(record.rev)} was saved ${time(record.updated ?? record.created)}. Your text is kept below.`
  return panelOf(
    html`<code>${record.id}</code>`,
    revisionOf(record),
    html`${alert(TEXTS.conflict, html`<p>${saved}</p>`)}
<h3>The stored version</h3>
${codeBlock(text, language, 'Stored version')}
<h3>Your version</h3>
${editForm(panel, { rev: record.rev, text: typed.text, save: TEXTS.overwrite })}`
  )
}

function lostPanel(panel: RecordPanel, { text, collection }: Typed): Markup {
  const { look, keyUse } = panel
  return panelOf(
    html`<code>${look.record}</code>`,
    false,
    html`${alert(TEXTS.lost, TEXTS.lostNext)}
<form action="/" method="post">
${hiddenFields({ ...look, mode: 'show' }, { collection })}
${jsonArea('text', TEXTS.record, text, { rows: 14 })}
${keyField(keyUse)}
<div class="box-actions"><button name="action" value="restore">${TEXTS.again}</button>
<a class="quiet" href="${pageUrl(listOf(panel))}">${TEXTS.cancel}</a></div>
</form>`
  )
}

function gonePanel(look: PageRequest): Markup {
  return panelOf(
    html`<code>${look.record.slice(0, 40)}</code>`,
    false,
    html`${emptyState(TEXTS.gone, TEXTS.goneNext)}
<p class="box-actions"><a class="quiet" href="${pageUrl(listOf({ look }))}">${TEXTS.close}</a></p>`
  )
}

function newPanel(panel: RecordPanel): Markup {
  const { look, typed, keyUse } = panel
  return panelOf(
    TEXTS.new,
    false,
    html`${typed !== undefined && alert('Not stored', typed.message)}
<form action="/" method="post">
${hiddenFields({ ...look, record: '', mode: 'new' })}
${jsonArea('text', TEXTS.record, typed?.text ?? TEXTS.example, { focus: typed === undefined })}
<label><span>${TEXTS.collection} <span class="soft">${TEXTS.optional}</span></span><input name="collection" value="${typed?.collection}" size="20" autocomplete="off" spellcheck="false"></label>
${keyField(keyUse)}
<div class="box-actions"><button name="action" value="store">${TEXTS.store}</button>
<a class="quiet" href="${pageUrl(listOf(panel))}">${TEXTS.cancel}</a></div>
</form>
<p class="small soft">${TEXTS.verbatim}</p>`
  )
}

/** The record is in the form, so that the service keeps no deleted records. */
export function undoNote(look: PageRequest, deleted: Deleted, keyUse: KeyUse): Markup {
  const { id, raw, created, updated, collection } = deleted
  return html`<form class="note box-undo" action="/" method="post">
${hiddenFields(
  { ...look, record: id, mode: 'show' },
  {
    collection: collection ?? '',
    created: String(created),
    updated: String(updated ?? ''),
    // A form changes line breaks; in a string they are escaped.
    exact: JSON.stringify(raw)
  }
)}
<span role="status">${TEXTS.deleted}: <code>${id}</code></span>
${keyField(keyUse)}
<button name="action" value="restore" data-focus>${TEXTS.undo}</button>
</form>`
}
