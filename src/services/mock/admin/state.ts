import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formAction } from '../../../kernel/form-token.ts'
import { html, type Markup } from '../../../kernel/html.ts'
import { askFirst, emptyState, time } from '../../../kernel/page-parts.ts'
import type { CollectionView, SessionView, StateView } from '../state/view.ts'
import { queryOf } from './coverage.ts'
import { StateOff } from './errors.ts'
import {
  type AdminPage,
  countCell,
  done,
  numbers,
  sendPage,
  sendPageOrJson,
  table,
  wantsPage
} from './page.ts'
import { fittingRows, restNote } from './paging.ts'
import { formsOf, recordRoutes } from './state-forms.ts'
import { recordPage, recordsPage, statePath } from './state-records.ts'

const TEXTS = {
  off: 'The state is disabled: every response comes from the document.',
  offNext: 'To store what clients create, change and delete, start the mock with',
  lead: 'Records that clients created, changed and deleted.',
  collections: 'Collections',
  sessions: 'Sessions',
  noSessions: 'No records have been written yet.',
  noSessionsNext: 'A session appears here when a client creates, changes or deletes a record.',
  usual: 'default',
  reset: 'Reset the state',
  resetQuestion: 'Delete the changes of all sessions and return to the initial records?',
  resetButton: 'Reset all sessions',
  resetSession: 'Reset',
  resetSessionQuestion: 'Delete its changes?',
  open: 'Open a path',
  openButton: 'Open',
  more: 'The JSON of this URL has all of them.'
}

const MAX_PATHS = 20
/** Bytes of each of the two tables. */
const MAX_BYTES = 30 * 1024

/** Routes that show the stored collections and reset them to the seed data. */
export function stateRoutes(app: FastifyInstance, state: StateView | undefined): void {
  function opened(): StateView {
    if (state === undefined) throw new StateOff()
    return state
  }

  async function reset(request: FastifyRequest, reply: FastifyReply) {
    const session = sessionOf(request)
    await opened().reset(session)
    return wantsPage(request) ? done(request, reply, 'state') : { reset: session ?? 'all' }
  }

  /** The records of a collection, or one record. */
  async function showPath(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    query: URLSearchParams
  ) {
    const session = sessionOf(request) ?? ''
    const { editor } = opened()
    const records = await editor.list(path, session)
    if (records === undefined) {
      const stored = await editor.find(path, session)
      return sendPageOrJson(
        request,
        reply,
        () => ({ path: stored.path, record: stored.record }),
        () => recordPage(stored, formsOf(request, session))
      )
    }
    return sendPageOrJson(
      request,
      reply,
      () => ({ path, records: records.map(({ record }) => record) }),
      () => recordsPage(path, records, query, formsOf(request, session))
    )
  }

  app.get('/__nonet/state', async (request, reply) => {
    if (state === undefined && wantsPage(request)) return sendPage(reply, OFF)
    const session = sessionOf(request)
    const query = new URLSearchParams(queryOf(request))
    const path = query.get('path')
    if (path !== null) return showPath(request, reply, path, query)
    const [collections, sessions] = await Promise.all([
      opened().collections(session),
      opened().sessions()
    ])
    return sendPageOrJson(
      request,
      reply,
      () => ({ collections, sessions }),
      () => {
        const resetUrl = formAction(request, '/__nonet/state/reset')
        return statePage(collections, sessions, { session, resetUrl })
      }
    )
  })
  app.delete('/__nonet/state', reset)
  app.post('/__nonet/state/reset', reset)
  recordRoutes(app, () => opened().editor)
}

/** Forms send the session in the body, other clients in the query. */
function sessionOf(request: FastifyRequest): string | undefined {
  const { body } = request
  const sent = typeof body === 'object' && body !== null ? Reflect.get(body, 'session') : undefined
  const session = sent ?? new URLSearchParams(queryOf(request)).get('session')
  return typeof session === 'string' ? session : undefined
}

const OFF: AdminPage = {
  tab: 'state',
  main: emptyState(TEXTS.off, html`<p>${TEXTS.offNext} <code class="fit">--state</code>.</p>`)
}

function statePage(
  collections: readonly CollectionView[],
  sessions: readonly SessionView[],
  { session, resetUrl }: { session: string | undefined; resetUrl: string }
): AdminPage {
  const { rows, rest } = fittingRows(
    collections,
    (one) => renderCollection(one, session),
    MAX_BYTES
  )
  return {
    tab: 'state',
    main: html`<p class="lead">${TEXTS.lead}${session !== undefined && ` Session ${session}.`}</p>
<h2>${TEXTS.collections}</h2>
${table(
  TEXTS.collections,
  ['Collection', 'Id', 'Operations', 'Records'],
  html`<tbody>${rows}</tbody>`,
  { stacks: true }
)}
${restNote(rest, TEXTS.more)}
${collections.some(({ path }) => path.includes('{')) && renderOpen(collections, session)}
<h2>${TEXTS.sessions}</h2>
${sessions.length === 0 ? emptyState(TEXTS.noSessions, TEXTS.noSessionsNext) : renderSessions(sessions, resetUrl)}
<p></p>
${askFirst(TEXTS.reset, TEXTS.resetQuestion, html`<form method="post" action="${resetUrl}"><button class="danger">${TEXTS.resetButton}</button></form>`)}`
  }
}

/** A collection below a parent without records is in no list, but records can be added to it. */
function renderOpen(collections: readonly CollectionView[], session: string | undefined): Markup {
  const nested = collections.find(({ path }) => path.includes('{'))
  return html`<form class="filter" method="get" action="/__nonet/state">${session !== undefined && html`<input type="hidden" name="session" value="${session}">`}<label>${TEXTS.open}<input name="path" required placeholder="${nested?.path.replace(/\{[^{}]+\}/g, '1') ?? ''}"></label><button class="quiet">${TEXTS.openButton}</button></form>`
}

function renderCollection(
  { path, id, actions, places }: CollectionView,
  session: string | undefined
): Markup {
  return html`<tr>
<th scope="row"><code>${path}</code></th>
<td>${id !== null && html`<span class="noun">id: </span>${id}`}</td>
<td>${actions.join(', ')}</td>
<td><ul>${places.slice(0, MAX_PATHS).map((scope) => html`<li><a href="${statePath(scope.path, session ?? '')}"><code>${scope.path}</code></a> ${scope.records}</li>`)}</ul>${places.length > MAX_PATHS && `and ${places.length - MAX_PATHS} more`}</td>
</tr>`
}

function renderSessions(sessions: readonly SessionView[], resetUrl: string): Markup {
  const { rows, rest } = fittingRows(sessions, (one) => renderSession(one, resetUrl), MAX_BYTES)
  return html`${table(
    TEXTS.sessions,
    [
      'Session',
      numbers('Records'),
      numbers('Bytes'),
      'Last used',
      html`<th scope="col"><span class="hidden">${TEXTS.resetSession}</span></th>`
    ],
    html`<tbody>${rows}</tbody>`,
    { stacks: true }
  )}${restNote(rest, TEXTS.more)}`
}

function renderSession({ session, records, bytes, usedAt }: SessionView, resetUrl: string): Markup {
  const name = session === '' ? TEXTS.usual : session
  return html`<tr>
<th scope="row"><a href="/__nonet/state?${String(new URLSearchParams({ session }))}">${name}</a></th>
${countCell(records, 'record')}
${countCell(bytes, 'byte')}
<td>${time(usedAt)}</td>
<td>${askFirst(TEXTS.resetSession, TEXTS.resetSessionQuestion, html`<form method="post" action="${resetUrl}"><input type="hidden" name="session" value="${session}"><button class="danger">${TEXTS.resetSession} ${name}</button></form>`)}</td>
</tr>`
}
