import {
  EmailTaken,
  JSON_TYPE,
  RecordNotFound,
  ValidationFailed,
  withDetails
} from '../../contract.ts'
import { fixturesOf, type Person, USERS } from '../../data/fixtures.ts'
import { type ApiResponse, empty, json } from '../../http/response.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import { type Change, checkIfMatch, type RecordRow } from '../../store/records.ts'
import { comparable, isEmail } from '../auth/email.ts'
import { readId, versionTag } from './item.ts'
import { timestamp } from './unsaved-records.ts'

type Fields = Readonly<Record<string, unknown>>

/** `POST` in a workspace: stores the record with the next id. */
export async function createKept(call: RequestContext, collection: string): Promise<ApiResponse> {
  const { fields } = await call.body()
  const own = withoutGiven(fields)
  checkFields(call, collection, own)
  const email = emailOf(collection, own)
  if (email !== null) await checkFree(call, email, undefined)
  const createdAt = timestamp(call)
  const start = openEnd(JSON.stringify(own))
  const end = `"createdAt":"${createdAt}"}`
  const text = start + end
  const { id } = await call.context.store.insertRecord(
    { ws: call.workspaceId, collection },
    { doc: text, email },
    changeOf(call, collection, 'created', text)
  )
  // Same response as in public mode: the fields, the id as a string, the date.
  return {
    status: 201,
    headers: { 'content-type': JSON_TYPE, etag: versionTag(id, 1) },
    body: `${start}"id":"${id}",${end}`
  }
}

/** Removes fields that the server sets. */
function withoutGiven(fields: Fields): Fields {
  if (!('id' in fields || 'createdAt' in fields)) return fields
  const { id: _, createdAt: __, ...own } = fields
  return own
}

/** JSON of an object without its end, so that one more field can be appended. */
function openEnd(json: string): string {
  return json === '{}' ? '{' : `${json.slice(0, -1)},`
}

/** `PUT` replaces all fields, `PATCH` those in the body. */
export async function updateKept(
  call: RequestContext,
  collection: string,
  text: string
): Promise<ApiResponse> {
  const { fields } = await call.body()
  const { id: _, updatedAt: __, createdAt: ___, ...own } = fields
  const id = requireId(text)
  if (call.method === 'PUT') checkFields(call, collection, own)
  else checkGiven(call, collection, own)
  const email = emailOf(collection, own)
  if (email !== null) await checkFree(call, email, id)
  const updatedAt = timestamp(call)
  let doc = ''
  const stored = await call.context.store.changeRecord(
    { ws: call.workspaceId, collection },
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

/** As in ReqRes, unknown ids are accepted, unless the workspace is strict. */
export async function removeKept(
  call: RequestContext,
  collection: string,
  text: string
): Promise<ApiResponse> {
  const id = readId(text)
  const strict = call.workspace?.options.strict === true
  if (id === undefined) {
    if (strict) throw new RecordNotFound()
    return empty()
  }
  await call.context.store.changeRecord(
    { ws: call.workspaceId, collection },
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

/** Fields of a record without its id; undefined if the record does not exist. */
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

/** Unchanged samples have no row, so the unique index does not cover their email addresses. */
async function checkFree(
  call: RequestContext,
  email: string,
  own: number | undefined
): Promise<void> {
  const sample = fixturesOf(USERS).find((person) => (person as Person).email === email)
  if (sample === undefined || sample.id === own) return
  const row = await call.context.store.findRecord(
    { ws: call.workspaceId, collection: USERS },
    sample.id
  )
  if (row === undefined) throw withDetails(new EmailTaken(), { more: { field: 'email' } })
}

function changeOf(call: RequestContext, collection: string, what: string, doc: string): Change {
  const thing = collection === USERS ? 'user' : collection
  return {
    type: `${thing}.${what}`,
    rest: () => restOf(doc),
    at: call.now()
  }
}

/** JSON of a record after its id in an event. */
export function restOf(doc: string): string {
  return doc === '{}' ? '}' : `,${doc.slice(1)}`
}

interface FieldError {
  readonly field: string
  readonly code: string
  readonly message: string
}

function checkFields(call: RequestContext, collection: string, fields: Fields): void {
  if (call.workspace?.options.strict !== true || collection !== USERS) return
  const errors = [...emailErrors(fields.email), ...nameErrors(fields.first_name)]
  reject(errors)
}

/** Checks the fields in the body only, because `PATCH` does not change the others. */
function checkGiven(call: RequestContext, collection: string, fields: Fields): void {
  if (call.workspace?.options.strict !== true || collection !== USERS) return
  reject([
    ...('email' in fields ? emailErrors(fields.email) : []),
    ...('first_name' in fields ? nameErrors(fields.first_name) : [])
  ])
}

function emailErrors(email: unknown): FieldError[] {
  if (isEmail(email)) return []
  const isThere = email !== undefined && email !== ''
  return [
    isThere
      ? { field: 'email', code: 'invalid_format', message: 'This is not a valid email address' }
      : { field: 'email', code: 'required', message: 'This field is required' }
  ]
}

function nameErrors(name: unknown): FieldError[] {
  if (typeof name === 'string' && name.trim() !== '') return []
  return [{ field: 'first_name', code: 'required', message: 'This field is required' }]
}

function reject(errors: readonly FieldError[]): void {
  if (errors.length > 0) {
    throw withDetails(new ValidationFailed(), { more: { errors } })
  }
}
