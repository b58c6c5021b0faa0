import { type Answer, empty, json } from '../answer.ts'
import { comparable, isEmail } from '../auth/email.ts'
import type { Call } from '../call.ts'
import {
  EmailTaken,
  JSON_TYPE,
  RecordNotFound,
  ValidationFailed,
  withDetails
} from '../contract.ts'
import { fixturesOf, type Person, USERS } from '../fixtures.ts'
import { type Change, checkIfMatch, type RecordRow } from '../store/records.ts'
import { timestamp } from './echo.ts'
import { readId, versionTag } from './item.ts'

type Fields = Readonly<Record<string, unknown>>

/** `POST` in a workspace: kept, with the next number. */
export async function createKept(call: Call, collection: string): Promise<Answer> {
  const { fields } = await call.body()
  const own = withoutGiven(fields)
  checkFields(call, collection, own)
  const email = emailOf(collection, own)
  if (email !== null) await checkFree(call, email, undefined)
  const createdAt = timestamp(call)
  const start = openEnd(JSON.stringify(own))
  const end = `"createdAt":"${createdAt}"}`
  const text = start + end
  const { id } = await call.room.store.insertRecord(
    { ws: call.ws, collection },
    { doc: text, email },
    changeOf(call, collection, 'created', text)
  )
  // The fields, the number as a text, the date: what public mode answers.
  return {
    status: 201,
    headers: { 'content-type': JSON_TYPE, etag: versionTag(id, 1) },
    body: `${start}"id":"${id}",${end}`
  }
}

/** What the server gives is nobody's to send. */
function withoutGiven(fields: Fields): Fields {
  if (!('id' in fields || 'createdAt' in fields)) return fields
  const { id: _, createdAt: __, ...own } = fields
  return own
}

/** An object's JSON up to where one more field can follow. */
function openEnd(json: string): string {
  return json === '{}' ? '{' : `${json.slice(0, -1)},`
}

/** `PUT` replaces the fields, `PATCH` those it names. */
export async function updateKept(call: Call, collection: string, text: string): Promise<Answer> {
  const { fields } = await call.body()
  const { id: _, updatedAt: __, createdAt: ___, ...own } = fields
  const id = requireId(text)
  if (call.method === 'PUT') checkFields(call, collection, own)
  else checkGiven(call, collection, own)
  const email = emailOf(collection, own)
  if (email !== null) await checkFree(call, email, id)
  const updatedAt = timestamp(call)
  let doc = ''
  const stored = await call.room.store.changeRecord(
    { ws: call.ws, collection },
    id,
    (row) => {
      const before = requireFields(collection, id, row)
      checkIfMatch(call.request.headers['if-match'], versionTag(id, row?.version ?? 0))
      const created = 'createdAt' in before ? { createdAt: before.createdAt } : {}
      const base = call.method === 'PATCH' ? before : created
      const next = { ...base, ...own, updatedAt }
      doc = JSON.stringify(next)
      return { doc, email: 'email' in own ? email : emailOf(collection, next) }
    },
    { ...changeOf(call, collection, 'updated', ''), rest: () => restOf(doc) }
  )
  const headers = { etag: versionTag(id, stored?.version ?? 0) }
  return json({ ...own, updatedAt }, 200, headers)
}

/** Unknown numbers are fine, as in the original, unless the workspace is strict. */
export async function removeKept(call: Call, collection: string, text: string): Promise<Answer> {
  const id = readId(text)
  const strict = call.workspace?.options.strict === true
  if (id === undefined) {
    if (strict) throw new RecordNotFound()
    return empty()
  }
  await call.room.store.changeRecord(
    { ws: call.ws, collection },
    id,
    (row) => {
      if (fieldsOf(collection, id, row) === undefined) {
        if (strict) throw new RecordNotFound()
        return undefined
      }
      checkIfMatch(call.request.headers['if-match'], versionTag(id, row?.version ?? 0))
      return { doc: '{}', email: null, secret: null, deleted: 1 }
    },
    changeOf(call, collection, 'deleted', '{}')
  )
  return empty()
}

function requireId(text: string): number {
  const id = readId(text)
  if (id === undefined) throw new RecordNotFound()
  return id
}

/** Without the number; undefined when there is no such record. */
export function fieldsOf(
  collection: string,
  id: number,
  row: RecordRow | undefined
): Fields | undefined {
  if (row?.deleted === 1) return undefined
  if (row !== undefined) return JSON.parse(row.doc)
  const sample = fixturesOf(collection).find((fixture) => fixture.id === id)
  if (sample === undefined) return undefined
  const { id: _, ...fields } = sample
  return fields
}

function requireFields(collection: string, id: number, row: RecordRow | undefined): Fields {
  const fields = fieldsOf(collection, id, row)
  if (fields === undefined) throw new RecordNotFound()
  return fields
}

function emailOf(collection: string, { email }: Fields): string | null {
  return collection === USERS && isEmail(email) ? comparable(email) : null
}

/** Samples have no row that the database could compare with. */
async function checkFree(call: Call, email: string, own: number | undefined): Promise<void> {
  const sample = fixturesOf(USERS).find((person) => (person as Person).email === email)
  if (sample === undefined || sample.id === own) return
  const row = await call.room.store.findRecord({ ws: call.ws, collection: USERS }, sample.id)
  if (row === undefined) throw withDetails(new EmailTaken(), { more: { field: 'email' } })
}

function changeOf(call: Call, collection: string, what: string, doc: string): Change {
  const thing = collection === USERS ? 'user' : collection
  return {
    type: `${thing}.${what}`,
    rest: () => restOf(doc),
    at: call.now()
  }
}

/** What follows the number in an event; a record without fields has nothing more. */
export function restOf(doc: string): string {
  return doc === '{}' ? '}' : `,${doc.slice(1)}`
}

interface FieldFailure {
  readonly field: string
  readonly code: string
  readonly message: string
}

function checkFields(call: Call, collection: string, fields: Fields): void {
  if (call.workspace?.options.strict !== true || collection !== USERS) return
  const failures = [...emailFailures(fields.email), ...nameFailures(fields.first_name)]
  refuse(failures)
}

/** What is not named stays as it was, so it is not asked for. */
function checkGiven(call: Call, collection: string, fields: Fields): void {
  if (call.workspace?.options.strict !== true || collection !== USERS) return
  refuse([
    ...('email' in fields ? emailFailures(fields.email) : []),
    ...('first_name' in fields ? nameFailures(fields.first_name) : [])
  ])
}

function emailFailures(email: unknown): FieldFailure[] {
  if (isEmail(email)) return []
  const isThere = email !== undefined && email !== ''
  return [
    isThere
      ? { field: 'email', code: 'invalid_format', message: 'This is not a valid email address' }
      : { field: 'email', code: 'required', message: 'This field is required' }
  ]
}

function nameFailures(name: unknown): FieldFailure[] {
  if (typeof name === 'string' && name.trim() !== '') return []
  return [{ field: 'first_name', code: 'required', message: 'This field is required' }]
}

function refuse(failures: readonly FieldFailure[]): void {
  if (failures.length > 0) {
    throw withDetails(new ValidationFailed(), { more: { errors: failures } })
  }
}
