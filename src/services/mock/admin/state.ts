import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formAction } from '../../../kernel/form-token.ts'
import { html, type Markup } from '../../../kernel/html.ts'
import { askFirst, emptyState, jsonBlock, time } from '../../../kernel/page-parts.ts'
import type { JsonObject } from '../document/json.ts'
import type { CollectionView, SessionView, StateView } from '../state/view.ts'
import { queryOf } from './coverage.ts'
import { CollectionUnknown, StateOff } from './errors.ts'
import {
  type AdminPage,
  done,
  number,
  numbers,
  sendPage,
  sendPageOrJson,
  table,
  wantsPage
} from './page.ts'

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
  noRecords: 'No records.',
  noRecordsNext: 'Send a POST request to the collection to create one.'
}
const MAX_SHOWN_RECORDS = 200

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

  app.get('/__nonet/state', async (request, reply) => {
    if (state === undefined && wantsPage(request)) return sendPage(reply, OFF)
    const session = sessionOf(request)
    const path = new URLSearchParams(queryOf(request)).get('path')
    if (path !== null) {
      const records = await opened().records(path, session)
      if (records === undefined) throw new CollectionUnknown(path)
      return sendPageOrJson(
        request,
        reply,
        () => ({ path, records }),
        () => recordsPage(path, records)
      )
    }
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
  return {
    tab: 'state',
    main: html`<p class="lead">${TEXTS.lead}${session !== undefined && ` Session ${session}.`}</p>
<h2>${TEXTS.collections}</h2>
${table(
  TEXTS.collections,
  ['Collection', 'Id', 'Operations', 'Records'],
  html`<tbody>${collections.map((one) => renderCollection(one, session))}</tbody>`,
  { stacks: true }
)}
<h2>${TEXTS.sessions}</h2>
${sessions.length === 0 ? emptyState(TEXTS.noSessions, TEXTS.noSessionsNext) : renderSessions(sessions, resetUrl)}
<p></p>
${askFirst(TEXTS.reset, TEXTS.resetQuestion, html`<form method="post" action="${resetUrl}"><button class="danger">${TEXTS.resetButton}</button></form>`)}`
  }
}

function renderCollection(
  { path, id, actions, places }: CollectionView,
  session: string | undefined
): Markup {
  return html`<tr>
<th scope="row"><code>${path}</code></th>
<td>${id !== null && html`<span class="noun">id: </span>${id}`}</td>
<td>${actions.join(', ')}</td>
<td><ul>${places.map((scope) => html`<li><a href="${recordsPath(scope.path, session)}"><code>${scope.path}</code></a> ${scope.records}</li>`)}</ul></td>
</tr>`
}

function recordsPath(path: string, session: string | undefined): string {
  const query = new URLSearchParams({ path, ...(session === undefined ? {} : { session }) })
  return `/__nonet/state?${query}`
}

function renderSessions(sessions: readonly SessionView[], resetUrl: string): Markup {
  return table(
    TEXTS.sessions,
    [
      'Session',
      numbers('Records'),
      numbers('Bytes'),
      'Last used',
      html`<th scope="col"><span class="hidden">${TEXTS.resetSession}</span></th>`
    ],
    html`<tbody>${sessions.map(({ session, records, bytes, usedAt }) => {
      const name = session === '' ? TEXTS.usual : session
      return html`<tr>
<th scope="row"><a href="/__nonet/state?${String(new URLSearchParams({ session }))}">${name}</a></th>
${number(records, records === 1 ? 'record' : 'records')}
${number(bytes, 'bytes')}
<td>${time(usedAt)}</td>
<td>${askFirst(TEXTS.resetSession, TEXTS.resetSessionQuestion, html`<form method="post" action="${resetUrl}"><input type="hidden" name="session" value="${session}"><button class="danger">${TEXTS.resetSession} ${name}</button></form>`)}</td>
</tr>`
    })}</tbody>`,
    { stacks: true }
  )
}

function recordsPage(path: string, records: readonly JsonObject[]): AdminPage {
  const more = records.length - MAX_SHOWN_RECORDS
  return {
    tab: 'state',
    title: path,
    main: html`${records.length === 0 && emptyState(TEXTS.noRecords, TEXTS.noRecordsNext)}
${records.slice(0, MAX_SHOWN_RECORDS).map((record, index) => jsonBlock(JSON.stringify(record), `Record ${index + 1}`))}
${more > 0 && html`<p class="soft">${more} more.</p>`}`
  }
}
