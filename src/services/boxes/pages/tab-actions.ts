import { readPath } from '../box/index-routes.ts'
import { readWantedKey } from '../box/keys/scopes.ts'
import { MAX_SCHEMA_BYTES, parseSetting, validateSchema } from '../box/settings-routes.ts'
import { IndexNotFound, SchemaNotFound } from '../contract.ts'
import { parseBoxPath, readCollection } from '../http/box-path.ts'
import { checkKeyForm } from '../http/credentials.ts'
import { checkSize } from '../records/records.ts'
import { WHOLE_BOX } from '../schema/check.ts'
import type { Action, ActionResult, Submitted } from './form-action.ts'
import { keepRejection, outcomeOf, type Rejection } from './rejection.ts'

const ACTIONS: Readonly<Record<string, Action>> = {
  'schema-save': saveSchema,
  'schema-remove': removeSchema,
  'index-add': addIndex,
  'index-remove': removeIndex,
  'keys-show': (submitted) => changeKeys(submitted, async () => undefined),
  'keys-private': (submitted) => setPrivate(submitted, true),
  'keys-public': (submitted) => setPrivate(submitted, false),
  'keys-issue': issueKey,
  'keys-rotate': rotateKey,
  'keys-revoke': revokeKey
}

export function findTabAction(name: string): Action | undefined {
  return Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
}

function accessOf({ context, look }: Submitted) {
  const { box } = parseBoxPath([encodeURIComponent(look.box)], context.options)
  return { box, key: look.key }
}

function failed(
  { look }: Submitted,
  title: string,
  rejection: Rejection,
  text?: string
): ActionResult {
  const typed = text === undefined ? {} : { text }
  return { look, extra: { failed: { title, rejection }, ...typed } }
}

/** Collection of the schema; that of the whole box has the empty name. */
function schemaNameOf({ context, look }: Submitted): string {
  const name = look.name.trim()
  return name === ''
    ? WHOLE_BOX
    : (readCollection(encodeURIComponent(name), context.options) ?? WHOLE_BOX)
}

async function saveSchema(submitted: Submitted): Promise<ActionResult> {
  const typed = (submitted.fields.get('text') ?? '').replaceAll('\r\n', '\n')
  const access = accessOf(submitted)
  async function save() {
    checkSize(typed, MAX_SCHEMA_BYTES)
    checkKeyForm(access.key)
    const { text, value } = parseSetting(typed)
    const digest = validateSchema(text, value)
    await submitted.context.store.saveSchema(access, schemaNameOf(submitted), text, digest)
  }
  const rejection = await outcomeOf(save())
  if (rejection !== undefined) return failed(submitted, 'Schema not saved', rejection, typed)
  return { done: { box: access.box, tab: 'schema', name: submitted.look.name.trim() } }
}

async function removeSchema(submitted: Submitted): Promise<ActionResult> {
  const access = accessOf(submitted)
  async function remove() {
    const found = await submitted.context.store.removeSchema(access, schemaNameOf(submitted))
    if (!found) throw new SchemaNotFound()
  }
  const rejection = await outcomeOf(remove())
  if (rejection !== undefined) return failed(submitted, 'Schema not removed', rejection)
  return { done: { box: access.box, tab: 'schema' } }
}

async function addIndex(submitted: Submitted): Promise<ActionResult> {
  const typed = submitted.fields.get('path') ?? ''
  const access = accessOf(submitted)
  async function add() {
    checkKeyForm(access.key)
    await submitted.context.store.addIndex(access, readPath(typed.trim()))
  }
  const rejection = await outcomeOf(add())
  if (rejection !== undefined) return failed(submitted, 'Index not added', rejection, typed)
  return { done: { box: access.box, tab: 'indexes' } }
}

async function removeIndex(submitted: Submitted): Promise<ActionResult> {
  const access = accessOf(submitted)
  async function remove() {
    const found = await submitted.context.store.dropIndex(access, readPath(submitted.object))
    if (!found) throw new IndexNotFound()
  }
  const rejection = await outcomeOf(remove())
  if (rejection !== undefined) return failed(submitted, 'Index not removed', rejection)
  return { done: { box: access.box, tab: 'indexes' } }
}

type Issued = { readonly key: string; readonly label: string | null } | undefined

/**
 * Only the owner key shows and changes keys. A new key is part of this one response and of no URL,
 * so the page is not sent by way of a redirect.
 */
async function changeKeys(
  submitted: Submitted,
  change: (access: { box: string; key: string | undefined }) => Promise<Issued>
): Promise<ActionResult> {
  const access = accessOf(submitted)
  const { store } = submitted.context
  try {
    checkKeyForm(access.key)
    const issued = await change(access)
    const owned = await store.listKeys(access.box, access.key)
    return { look: submitted.look, extra: { owned, ...(issued && { issued }) } }
  } catch (error) {
    return failed(submitted, 'Not done', keepRejection(error as Rejection))
  }
}

function setPrivate(submitted: Submitted, wanted: boolean): Promise<ActionResult> {
  return changeKeys(submitted, async ({ box, key }) => {
    await submitted.context.store.setPrivate(box, key, wanted)
    return undefined
  })
}

function issueKey(submitted: Submitted): Promise<ActionResult> {
  const { context, request, fields } = submitted
  const label = fields.get('label')?.trim() || null
  return changeKeys(submitted, async ({ box, key }) => {
    const wanted = readWantedKey({ label, scopes: [fields.get('scope') ?? ''] })
    context.countRequest(request.raw)
    return context.store.issueKey(box, key, wanted)
  })
}

function rotateKey(submitted: Submitted): Promise<ActionResult> {
  return changeKeys(submitted, ({ box, key }) =>
    submitted.context.store.rotateKey(box, key, submitted.object)
  )
}

function revokeKey(submitted: Submitted): Promise<ActionResult> {
  return changeKeys(submitted, async ({ box, key }) => {
    await submitted.context.store.revokeKey(box, key, submitted.object)
    return undefined
  })
}
