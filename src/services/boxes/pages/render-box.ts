import type { FastifyRequest } from 'fastify'
import { html, type Markup } from '../../../kernel/html.ts'
import type { Page } from '../../../kernel/page.ts'
import { type ResolvedBox, viewBox } from '../box/resolve-box.ts'
import type { BoxContext } from '../context.ts'
import { RecordNotFound } from '../contract.ts'
import { parseBoxPath } from '../http/box-path.ts'
import { checkKeyForm } from '../http/credentials.ts'
import type { Imported } from '../import-export/import.ts'
import type { StoredRecord } from '../store/record.ts'
import { numbers } from './box-list.ts'
import { type BoxFrame, boxPage, showWithKey } from './box-page.ts'
import { alert, boxPath, type KeyUse } from './form-parts.ts'
import { type FilterMistake, listPanel, recordsText } from './list-panel.ts'
import { isOperator, readBoxes } from './operator.ts'
import type { PageRequest } from './page-request.ts'
import { type RecordList, readList } from './read-list.ts'
import { type Deleted, recordPanel, type Typed, undoNote } from './record-panel.ts'
import { explain, keepRejection, type Rejection } from './rejection.ts'
import { snippetTabs } from './snippets.ts'
import { changesTab } from './tabs/changes-tab.ts'
import { exchangeTab } from './tabs/exchange-tab.ts'
import { indexesTab } from './tabs/indexes-tab.ts'
import { type KeysTab, keysTab } from './tabs/keys-tab.ts'
import { schemaTab } from './tabs/schema-tab.ts'

/** What an action adds to the page that follows it. */
export interface PageExtra {
  readonly status?: number
  /** Why the action failed; shown above the content. */
  readonly failed?: { readonly title: string; readonly rejection: Rejection }
  readonly typed?: Typed
  readonly deleted?: Deleted
  /** Text of a form that comes back. */
  readonly text?: string
  readonly imported?: Imported | 'nothing'
  readonly owned?: KeysTab['owned']
  readonly issued?: KeysTab['issued']
}

export type Rendered = { page: Page; status: number } | { rejection: Rejection }

const OK = 200

const ACCESS = {
  public: 'open to everyone who knows the id',
  protected: 'everyone can read, writing needs a key',
  private: 'private, only with a key'
}

/** Errors of the filter and of records are part of the page; those of the box id are returned. */
export async function renderBox(
  context: BoxContext,
  request: FastifyRequest,
  asked: PageRequest,
  extra: PageExtra = {}
): Promise<Rendered> {
  const { kernel, store, options } = context
  try {
    const path = [asked.box, asked.record].filter((segment) => segment !== '')
    const { box } = parseBoxPath(path.map(encodeURIComponent), options)
    checkKeyForm(asked.key)
    const look = { ...asked, box, record: asked.record.toLowerCase() }
    const view = await viewBox(context, box, undefined, look.key)
    const operator = isOperator(kernel, request.raw)
    const boxes = operator ? await readBoxes(store) : undefined
    const url = kernel.baseUrl(request.raw)
    const subject: Subject = { context, look, view, keyUse: keyUseOf(view), url, extra }
    const { body, facts, status } = await renderTab(subject)
    const failed = extra.failed && alert(extra.failed.title, explain(extra.failed.rejection))
    const frame: BoxFrame = { look, boxes, facts: [...facts, ...accessFacts(view)] }
    const page = boxPage(frame, html`${failed}${body}`)
    return { page, status: extra.failed?.rejection.statusCode ?? extra.status ?? status }
  } catch (error) {
    return { rejection: keepRejection(error as Rejection) }
  }
}

interface Subject {
  readonly context: BoxContext
  readonly look: PageRequest
  readonly view: ResolvedBox
  readonly keyUse: KeyUse
  readonly url: string
  readonly extra: PageExtra
}

interface TabContent {
  readonly body: Markup
  readonly facts: readonly (string | Markup)[]
  readonly status: number
}

/** A box that is not known may be private, or get a key with its first record. */
function keyUseOf({ state }: ResolvedBox): KeyUse {
  if (state === undefined) return 'new'
  return state.secret === null ? 'none' : 'needed'
}

/** None for a box that is unknown or private: both look alike. */
function accessFacts({ state }: ResolvedBox): string[] {
  if (state === undefined) return []
  if (state.private === 1) return [ACCESS.private]
  return [state.secret === null ? ACCESS.public : ACCESS.protected]
}

async function renderTab(subject: Subject): Promise<TabContent> {
  const { context, look, view, keyUse, url, extra } = subject
  const { store } = context
  const path = boxPath(look.box)
  const tab = (body: Markup): TabContent => ({ body, facts: [], status: OK })
  const withKey = showWithKey(look, keyUse)
  switch (look.tab) {
    case 'changes':
      return tab(html`${await changesTab(store, look, url + path)}${withKey}`)
    case 'schema':
      return tab(html`${await schemaTab(store, look, keyUse, extra.text)}${withKey}`)
    case 'indexes':
      return tab(html`${await indexesTab(store, look, keyUse, extra.text ?? '')}${withKey}`)
    case 'keys': {
      const isPublic = view.state?.secret === null
      return tab(keysTab({ look, isPublic, owned: extra.owned, issued: extra.issued }))
    }
    case 'exchange':
      return tab(exchangeTab({ look, keyUse, url, path, imported: extra.imported }))
    default:
      return recordsTab(subject)
  }
}

async function recordsTab(subject: Subject): Promise<TabContent> {
  const { context, view, keyUse, url, extra } = subject
  const listed = await readList(context, view, subject.look).catch(keepRejection)
  const isListed = 'records' in listed
  const isEmpty = isListed && listed.total === 0 && subject.look.record === ''
  // The first record is stored on the page of its box.
  const look: PageRequest = isEmpty ? { ...subject.look, mode: 'new' } : subject.look
  const record = look.record === '' ? undefined : await findRecord(context, look)
  const panel = recordPanel({ look, record, typed: extra.typed, keyUse })
  const list = isListed ? listed : undefined
  const problem = isListed ? undefined : listed
  const mistake = problem && mistakeOf(problem)
  const body = html`${extra.deleted && undoNote(look, extra.deleted, keyUse)}
<div class="columns${panel !== undefined && ' open'}"><div class="stacked">
${listPanel({ look, list, mistake, problem: mistake === undefined ? problem && explain(problem) : undefined })}
${showWithKey(subject.look, keyUse)}</div>
<div class="stacked box-detail">${panel}
<section class="panel" aria-labelledby="use-title"><header><h2 class="panel-title" id="use-title">${record === undefined ? 'Use this box' : 'Use this record'}</h2></header>
${snippetTabs({ url: url + boxPath(look.box), parameters: list?.parameters ?? new URLSearchParams(), record, needsKey: keyUse === 'needed' })}
</section></div></div>`
  const isGone = look.record !== '' && record === undefined && extra.typed === undefined
  const found = isGone ? new RecordNotFound().statusCode : OK
  return { body, facts: totalFacts(list), status: problem?.statusCode ?? found ?? OK }
}

function totalFacts(list: RecordList | undefined): Markup[] {
  if (list?.total === undefined) return []
  return [
    html`<span id="total"><b>${numbers.format(list.total)}</b> ${recordsText(list.total).replace(/^\S+ /, '')}</span>`
  ]
}

function findRecord({ store }: BoxContext, look: PageRequest): Promise<StoredRecord | undefined> {
  return store.find(look.box, look.record, look.key)
}

/** Undefined if the error is not about the filter. */
function mistakeOf(rejection: Rejection): FilterMistake | undefined {
  const { code, at }: { code?: string; at?: FilterMistake['at'] } = Object(rejection)
  const { reason, message } = rejection
  if (code !== 'INVALID_QUERY' && code !== 'UNKNOWN_OPERATOR') return undefined
  return { reason: reason ?? message, at }
}
