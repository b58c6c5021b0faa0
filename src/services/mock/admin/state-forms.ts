import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formAction } from '../../../kernel/form-token.ts'
import { Problem } from '../contract.ts'
import { isObject, type JsonObject } from '../document/json.ts'
import type { Diagnostic } from '../message.ts'
import type { RecordEditor } from '../state/view.ts'
import { queryOf } from './coverage.ts'
import { InvalidRecord, OWN_CODES } from './errors.ts'
import { sendPage } from './page.ts'
import {
  type RejectedText,
  recordPage,
  recordsPage,
  type StateForms,
  statePath
} from './state-records.ts'
import { type FormValues, readFormValues, withPlainBreaks } from './try/form-values.ts'

const RECORDS = '/__nonet/state/records'
const MAX_SESSION = 100

/** Routes that add, change and delete records: as JSON, and by the forms of the pages. */
export function recordRoutes(app: FastifyInstance, editor: () => RecordEditor): void {
  app.post(RECORDS, async (request, reply) => {
    const { path, ...options } = readQuery(request)
    const { path: made, record } = await editor().add(path, recordIn(request.body), options)
    return sendJson(reply.code(201), { path: made, record })
  })
  app.put(RECORDS, async (request, reply) => {
    const { path, ...options } = readQuery(request)
    const saving = { ...options, version: undefined }
    const stored = await editor().save(path, recordIn(request.body), saving)
    return sendJson(reply, { path: stored.path, record: stored.record })
  })
  app.delete(RECORDS, async (request, reply) => {
    const { path, session } = readQuery(request)
    await editor().remove(path, session)
    return reply.code(204).send()
  })

  app.post('/__nonet/state/add', async (request, reply) => {
    const values = readFormValues(request.body)
    const { path = '', record = '' } = values
    const options = optionsOf(values)
    try {
      const stored = await editor().add(path, parseRecord(record), options)
      return reply.redirect(statePath(stored.list, options.session), 303)
    } catch (error) {
      const rejected = rejectionOf(error, record, reply)
      const records = (await editor().list(path, options.session)) ?? []
      const forms = formsOf(request, options.session)
      return sendPage(
        reply,
        recordsPage(path, records, new URLSearchParams({ path }), forms, rejected)
      )
    }
  })
  app.post('/__nonet/state/save', async (request, reply) => {
    const values = readFormValues(request.body)
    const { path = '', record = '', version } = values
    const options = optionsOf(values)
    try {
      const stored = await editor().save(path, parseRecord(record), { ...options, version })
      return reply.redirect(statePath(stored.path, options.session), 303)
    } catch (error) {
      const rejected = rejectionOf(error, record, reply)
      const stored = await editor().find(path, options.session)
      return sendPage(reply, recordPage(stored, formsOf(request, options.session), rejected))
    }
  })
  app.post('/__nonet/state/delete', async (request, reply) => {
    const values = readFormValues(request.body)
    const { session } = optionsOf(values)
    const list = await editor().remove(values.path ?? '', session)
    return reply.redirect(statePath(list, session), 303)
  })
}

export function formsOf(request: FastifyRequest, session: string): StateForms {
  const url = (name: string) => formAction(request, `/__nonet/state/${name}`)
  return { addUrl: url('add'), saveUrl: url('save'), deleteUrl: url('delete'), session }
}

function readQuery(request: FastifyRequest) {
  const query = new URLSearchParams(queryOf(request))
  return {
    path: query.get('path') ?? '',
    session: checkSession(query.get('session') ?? ''),
    checks: query.get('validate') !== 'false'
  }
}

function optionsOf({ session = '', unchecked }: FormValues) {
  return { session: checkSession(session), checks: unchecked === undefined }
}

function checkSession(session: string): string {
  if (session.length <= MAX_SESSION) return session
  throw new InvalidRecord(`The name of a session has at most ${MAX_SESSION} characters`)
}

function recordIn(body: unknown): JsonObject {
  if (isObject(body)) return body as JsonObject
  throw new InvalidRecord('The record must be a JSON object')
}

function parseRecord(text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new InvalidRecord(`The record is not JSON: ${(error as Error).message}`)
  }
  return recordIn(value)
}

/** An error of the admin pages, or a problem of the state. */
interface Rejection {
  code: string
  message: string
  statusCode?: number
  validation?: readonly Diagnostic[]
}

/** What the page says about an error; others are thrown. */
function rejectionOf(error: unknown, text: string, reply: FastifyReply): RejectedText {
  const { code, message, statusCode, validation = [] } = error as Rejection
  if (!OWN_CODES.includes(code) && !(error instanceof Problem)) throw error
  reply.code(statusCode ?? 400)
  return {
    text: withPlainBreaks(text),
    message: message.replace(/\.$/, ''),
    violations: validation
  }
}

function sendJson(reply: FastifyReply, value: object) {
  return reply.type('application/json').send(JSON.stringify(value))
}
