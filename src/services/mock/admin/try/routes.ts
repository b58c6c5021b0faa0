import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formAction } from '../../../../kernel/form-token.ts'
import type { Documents } from '../../documents.ts'
import type { JournalEntry } from '../../journal/journal.ts'
import { queryOf } from '../coverage.ts'
import { EntryNotFound, InvalidRequest, OWN_CODES } from '../errors.ts'
import { sendPage, wantsPage } from '../page.ts'
import { composeRequest } from './compose.ts'
import { type EditorView, editorPage } from './editor-page.ts'
import { findOperation } from './find-operation.ts'
import { type FormValues, readFormValues } from './form-values.ts'
import { readSending } from './read-sending.ts'
import {
  editableEntry,
  editableRequest,
  editedRequest,
  isComplete,
  readEditable,
  repeatedRequest
} from './resend.ts'
import { sendToMock } from './send.ts'
import {
  bodyValue,
  type FilledForm,
  fillBody,
  fillForm,
  openForm,
  showBody,
  textOf
} from './try-form.ts'
import { tryPage } from './try-page.ts'

const TRY = '/__nonet/try'
const SEND = '/__nonet/send'
const INCOMPLETE =
  'The journal has only the beginning of the body, so the request cannot be sent again'

type ById = FastifyRequest<{ Params: { id: string } }>

/** Routes that send requests to the mock: from the form of an operation, as text, or again. */
export function tryRoutes(app: FastifyInstance, documents: Documents): void {
  const { journal, mask } = documents
  const upstream = () => documents.engine().options.upstream?.url.origin

  function showForm(request: FastifyRequest, reply: FastifyReply, filled: FilledForm, more = {}) {
    const action = formAction(request, TRY)
    return sendPage(reply, tryPage({ ...filled, action, upstream: upstream(), ...more }))
  }

  function showEditor(
    request: FastifyRequest,
    reply: FastifyReply,
    view: Pick<EditorView, 'request' | 'entry'> & Partial<EditorView>
  ) {
    const action = formAction(request, SEND)
    return sendPage(reply, editorPage({ action, upstream: upstream(), ...view }))
  }

  function entryAt(id: string): JournalEntry {
    const entry = /^\d{1,16}$/.test(id) ? journal.find(Number(id)) : undefined
    if (entry === undefined) throw new EntryNotFound(id)
    return entry
  }

  app.get(TRY, async (request, reply) => {
    const query = new URLSearchParams(queryOf(request))
    const document = query.get('document') ?? undefined
    const { served, operation } = findOperation(documents, query.get('operation') ?? '', document)
    return showForm(
      request,
      reply,
      await fillForm(documents, openForm(documents, served, operation))
    )
  })

  app.post(TRY, async (request, reply) => {
    const values = readFormValues(request.body)
    const { operation = '', document, pick, fill, show, raw } = values
    const found = findOperation(documents, operation, document)
    const form = openForm(documents, found.served, found.operation, pick ?? values.type)
    const filled: FilledForm = { form, values, view: values.view === 'fields' ? 'fields' : 'text' }
    if (pick !== undefined || fill !== undefined) {
      const refilled = { ...filled, ...(await fillBody(documents, form, values, fill)) }
      return showForm(request, reply, refilled)
    }
    if (show !== undefined) return showForm(request, reply, switchView(filled, show))
    try {
      const composed = composeRequest(filled)
      if (raw !== undefined) {
        const view = { request: editableRequest(composed), entry: undefined }
        return showEditor(request, reply, view)
      }
      const sent = await sendToMock(documents, composed, request, reply)
      return wantsPage(request) ? showForm(request, reply, filled, { sent }) : sent
    } catch (error) {
      const message = messageOf(error, request, reply)
      return showForm(request, reply, filled, { error: message })
    }
  })

  app.get(SEND, (request, reply) => {
    const blank = { method: 'GET', target: '/', headers: 'accept: */*', body: '' }
    const view = { request: { ...blank, encoding: 'text' as const }, entry: undefined }
    return showEditor(request, reply, view)
  })

  app.post(SEND, async (request, reply) => {
    if (!wantsPage(request)) {
      return sendToMock(documents, readSending(request.body), request, reply)
    }
    const values = readFormValues(request.body)
    const edited = readEditable(values)
    const original = originalOf(values)
    const view = { request: edited, entry: original?.id }
    try {
      const raw = editedRequest(edited, original, mask)
      return showEditor(request, reply, {
        ...view,
        sent: await sendToMock(documents, raw, request, reply)
      })
    } catch (error) {
      return showEditor(request, reply, { ...view, error: messageOf(error, request, reply) })
    }
  })

  /** The entry that is changed; its hidden credentials are lost if it is no longer kept. */
  function originalOf({ entry }: FormValues): JournalEntry | undefined {
    return entry === undefined || !/^\d{1,16}$/.test(entry)
      ? undefined
      : journal.find(Number(entry))
  }

  app.get('/__nonet/journal/:id/edit', (request: ById, reply) => {
    const entry = entryAt(request.params.id)
    const view = { request: editableEntry(entry, mask), entry: entry.id }
    return showEditor(request, reply, { ...view, isCut: !isComplete(entry) })
  })

  app.post('/__nonet/journal/:id/send', async (request: ById, reply) => {
    const entry = entryAt(request.params.id)
    if (!isComplete(entry)) throw new InvalidRequest(INCOMPLETE)
    const sent = await sendToMock(documents, repeatedRequest(entry), request, reply)
    if (!wantsPage(request)) return sent
    return reply.redirect(sent.id > 0 ? `/__nonet/journal/${sent.id}` : '/__nonet/journal', 303)
  })
}

/** The same body as fields or as text; text that the fields cannot show stays text. */
function switchView(filled: FilledForm, wanted: string): FilledForm {
  const { form, values } = filled
  const { body, served } = form
  if (body === undefined) return filled
  const value = bodyValue(filled)
  if (wanted === 'fields') return { ...filled, ...showBody(form, values, value) }
  const text = value === undefined ? '' : textOf(served, body.media, value)
  return { ...filled, values: { ...values, body: text }, view: 'text' }
}

/** The message of an error of the person who filled in the form; others are thrown. */
function messageOf(error: unknown, request: FastifyRequest, reply: FastifyReply): string {
  const problem = error as FastifyError
  if (!OWN_CODES.includes(problem.code) || !wantsPage(request)) throw error
  reply.code(problem.statusCode ?? 400)
  return problem.message
}
