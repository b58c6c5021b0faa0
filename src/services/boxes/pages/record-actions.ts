import { CollectionInvalid, NothingToWrite, PreconditionFailed, RECORD_ID } from '../contract.ts'
import { parseBoxPath, readCollection } from '../http/box-path.ts'
import { checkKeyForm } from '../http/credentials.ts'
import { readRecords, requireOne } from '../records/records.ts'
import type { Action, ActionResult, Submitted } from './form-action.ts'
import type { Typed } from './record-panel.ts'
import { explain, outcomeOf, type Rejection } from './rejection.ts'

const ACTIONS: Readonly<Record<string, Action>> = {
  store: storeRecord,
  save: saveRecord,
  delete: deleteRecord,
  restore: restoreRecord
}

export function findRecordAction(name: string): Action | undefined {
  return Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
}

/** Browsers send every line break in a form as CR LF. */
function textOf({ fields }: Submitted): string {
  const text = fields.get('text') ?? ''
  return fields.get('breaks') === 'crlf' ? text : text.replaceAll('\r\n', '\n')
}

async function contentOf({ context }: Submitted, text: string) {
  return requireOne(await readRecords(Buffer.from(text), context.options))
}

function targetOf({ context, look }: Submitted): { box: string; id: string } {
  const segments = [look.box, look.record].filter((segment) => segment !== '')
  const { box, id = '' } = parseBoxPath(segments.map(encodeURIComponent), context.options)
  return { box, id }
}

function collectionOf({ context, fields }: Submitted): string | undefined {
  const name = fields.get('collection')?.trim() ?? ''
  // In a URL it would be a record id.
  if (RECORD_ID.test(name)) throw new CollectionInvalid()
  return name === '' ? undefined : readCollection(encodeURIComponent(name), context.options)
}

function rejectedWith(
  submitted: Submitted,
  rejection: Rejection,
  kind: Typed['kind']
): ActionResult {
  const { look, fields } = submitted
  const typed: Typed = {
    kind,
    message: explain(rejection),
    text: textOf(submitted),
    rev: Number(fields.get('rev') ?? 0) || 0,
    collection: fields.get('collection') ?? ''
  }
  return { look, extra: { status: rejection.statusCode, typed } }
}

/** The key that is sent with the first record becomes the owner key of the box. */
async function storeRecord(submitted: Submitted): Promise<ActionResult> {
  const { context, request, look } = submitted
  const { box } = targetOf({ ...submitted, look: { ...look, record: '' } })
  async function create() {
    const collection = collectionOf(submitted)
    const content = await contentOf(submitted, textOf(submitted))
    checkKeyForm(look.key)
    context.countRequest(request.raw)
    return context.store.create({ box, collection, key: look.key, contents: [content] })
  }
  let id = ''
  const rejection = await outcomeOf(
    create().then(({ ids }) => {
      id = ids[0] ?? ''
    })
  )
  if (rejection !== undefined) {
    return rejectedWith({ ...submitted, look: { ...look, mode: 'new' } }, rejection, 'rejected')
  }
  return { done: { box, view: look.view, record: id } }
}

/** Saves only over the revision on the page: another client may have changed the record. */
async function saveRecord(submitted: Submitted): Promise<ActionResult> {
  const { context, look, fields } = submitted
  const { box, id } = targetOf(submitted)
  const condition = { ifMatch: [Number(fields.get('rev'))] }
  async function replace() {
    const content = await contentOf(submitted, textOf(submitted))
    await context.store.replace(content, { box, id, key: look.key, condition })
  }
  const rejection = await outcomeOf(replace())
  const { q, view, cursor } = look
  if (rejection === undefined) return { done: { box, q, view, cursor, record: id } }
  if (!(rejection instanceof PreconditionFailed)) {
    return rejectedWith(submitted, rejection, 'rejected')
  }
  const record = await context.store.find(box, id, look.key)
  return rejectedWith(submitted, rejection, record === undefined ? 'lost' : 'conflict')
}

/** The page that follows has the record in a form, for the undo. */
async function deleteRecord(submitted: Submitted): Promise<ActionResult> {
  const { context, look, fields } = submitted
  const { box, id } = targetOf(submitted)
  const record = await context.store.find(box, id, look.key)
  const condition = { ifMatch: [Number(fields.get('rev'))] }
  const rejection = await outcomeOf(context.store.remove({ box, id, key: look.key, condition }))
  if (rejection !== undefined) {
    return { look, extra: { failed: { title: 'Not deleted', rejection } } }
  }
  const list = { ...look, record: '', mode: 'show' } as const
  return { look: list, extra: record === undefined ? {} : { deleted: record } }
}

/** Stores a record under the id that it had, unless the id is in use again. */
async function restoreRecord(submitted: Submitted): Promise<ActionResult> {
  const { context, request, look, fields } = submitted
  const { store } = context
  const { box, id } = targetOf(submitted)
  const { key } = look
  async function create() {
    if (id === '') throw new NothingToWrite()
    const content = await contentOf(submitted, exactOf(fields) ?? textOf(submitted))
    const collection = collectionOf(submitted)
    checkKeyForm(key)
    // Dates of the past need the permission that imports need.
    await store.checkAccess(box, key)
    context.countRequest(request.raw)
    const dates = datesOf(submitted)
    await store.createAs(id, content, { box, collection, key, contents: [], dates })
  }
  const rejection = await outcomeOf(create())
  const { q, view, cursor } = look
  if (rejection === undefined) return { done: { box, q, view, cursor, record: id } }
  return { look, extra: { failed: { title: 'Not restored', rejection } } }
}

function exactOf(fields: URLSearchParams): string | undefined {
  const exact = fields.get('exact')
  if (exact === null || !/^"(?:[^"\\]|\\.)*"$/s.test(exact)) return undefined
  try {
    return JSON.parse(exact)
  } catch {
    return undefined
  }
}

/** Undefined if the form has none; then the record is as new. */
function datesOf({ context, fields }: Submitted) {
  const now = context.kernel.now().getTime()
  const [created, updated] = ['created', 'updated'].map((name) => {
    const text = fields.get(name) ?? ''
    return /^\d{1,15}$/.test(text) && Number(text) <= now ? Number(text) : undefined
  })
  return created === undefined ? undefined : { created, updated: updated ?? null }
}
