import type { Transaction } from '../../../kernel/database/transaction.ts'
import { isForwarded } from '../../../kernel/forwarded.ts'
import type { ApiHandler, ApiRequest, CardContext } from '../context.ts'
import { RequestInvalid, ValueInvalid } from '../contract.ts'
import { presentWebhook } from '../present/webhook.ts'
import { startAnnouncing } from '../store/announce/announce-changes.ts'
import { webhookPurpose } from '../store/migrations.ts'
import type { WebhookRow } from '../store/rows.ts'
import { findWatched, type Watched } from '../store/watched.ts'
import {
  addWebhook,
  checkNewWebhook,
  checkUnique,
  findWebhook,
  listWebhooks,
  removeWebhook,
  updateWebhook
} from '../store/webhooks.ts'
import { callbackValue, checkCallback } from '../webhooks/check-callback.ts'
import { newSecret } from '../webhooks/new-secret.ts'
import { readWebhookInput, type WebhookInput } from './read-webhook.ts'
import { fieldOf, memberOf, param, sent } from './requests.ts'
import type { HandlerName } from './route-table.ts'
import { ownToken } from './tokens.ts'
import { selectFields } from './values.ts'

/** The receiver is checked after everything else, and what is stored once more after it. */
const add: ApiHandler = async (context, request) => {
  const { store, kernel, options } = context
  const { member, tokenId } = memberOf(request)
  const input = readWebhookInput(request.input)
  if (input.idModel === undefined) throw new ValueInvalid('idModel')
  const callbackUrl = callbackValue(input.callbackUrl)
  const format = input.events === undefined ? 'trello' : 'standard'
  const id = context.nextId()
  const secret = newSecret(format)
  const draft = {
    id,
    token: tokenId,
    member,
    description: input.description ?? '',
    callback_url: callbackUrl,
    base_url: request.baseUrl,
    is_forwarded: Number(isForwarded(request.raw)),
    active: Number(input.active ?? true),
    format,
    events: JSON.stringify(input.events ?? []),
    secret: kernel.secrets.seal(webhookPurpose(id), secret),
    consecutive_failures: 0,
    first_failure_at: null,
    created_at: ''
  } as const
  await store.read(function* () {
    yield* checkNewWebhook({ ...draft, ...(yield* findModel(request, draft.format, input)) })
  })
  await checkCallback(context, callbackUrl, request.raw)
  const webhook = await store.change(function* (time) {
    const model = yield* findModel(request, draft.format, input)
    const added: WebhookRow = { ...draft, ...model, created_at: time }
    yield* addWebhook(added)
    if (added.active === 1) yield* announceFrom(added)
    return added
  })
  const isOwnSecret = format === 'standard' || options.webhookSecret === undefined
  return { body: { ...presentWebhook(webhook), ...(isOwnSecret && { secret }) } }
}

/** Events of publication tell what changes from now on. */
function* announceFrom({ id, board, format }: WebhookRow): Transaction<void> {
  if (format === 'standard' && board !== null) yield* startAnnouncing(board, id)
}

type Model = Pick<WebhookRow, 'board' | 'model' | 'model_type'>

/** Only boards have events of publication. */
function* findModel(
  request: ApiRequest,
  format: WebhookRow['format'],
  { idModel = '' }: WebhookInput
) {
  const watched = yield* findWatched(memberOf(request), idModel)
  if (format === 'standard' && watched.type !== 'board') {
    throw new RequestInvalid('events needs the idModel of a board')
  }
  return modelOf(watched)
}

function modelOf({ id, type }: Watched): Model {
  return { model: id, model_type: type, board: type === 'board' ? id : null }
}

function* changed(request: ApiRequest, input: WebhookInput) {
  const found = yield* findWebhook(memberOf(request).tokenId, param(request, 'webhook'))
  if (input.events !== undefined && found.format !== 'standard') {
    throw new RequestInvalid('events is only for webhooks that were added with it')
  }
  const model = input.idModel === undefined ? {} : yield* findModel(request, found.format, input)
  const hasNewUrl = input.callbackUrl !== undefined && input.callbackUrl !== found.callback_url
  const isActive = input.active ?? found.active === 1
  // The receiver starts anew, or the owner says so.
  const isReset = hasNewUrl || (isActive && found.active === 0)
  const webhook: WebhookRow = {
    ...found,
    ...model,
    ...(hasNewUrl && { is_forwarded: Number(isForwarded(request.raw)) }),
    ...(isReset && { consecutive_failures: 0, first_failure_at: null }),
    ...(input.events && { events: JSON.stringify(input.events) }),
    description: input.description ?? found.description,
    callback_url: input.callbackUrl ?? found.callback_url,
    active: Number(isActive)
  }
  yield* checkUnique(webhook)
  const isNew = isActive && (found.active === 0 || webhook.model !== found.model)
  return { webhook, hasNewUrl, isNew }
}

const change: ApiHandler = async (context, request) => {
  const input = readWebhookInput(request.input)
  const { webhook, hasNewUrl } = await context.store.read(() => changed(request, input))
  if (hasNewUrl) await checkCallback(context, webhook.callback_url, request.raw)
  const stored = await context.store.change(function* () {
    const { webhook: current, isNew } = yield* changed(request, input)
    yield* updateWebhook(current)
    if (isNew) yield* announceFrom(current)
    return current
  })
  return { body: presentWebhook(stored) }
}

async function readOne({ store }: CardContext, request: ApiRequest) {
  const { tokenId } = memberOf(request)
  const row = await store.read(() => findWebhook(tokenId, param(request, 'webhook')))
  return presentWebhook(row)
}

const read: ApiHandler = async (context, request) => {
  return { body: selectFields(await readOne(context, request), sent(request, 'fields')) }
}

const remove: ApiHandler = async ({ store }, request) => {
  const { tokenId } = memberOf(request)
  await store.change(
    function* () {
      yield* removeWebhook((yield* findWebhook(tokenId, param(request, 'webhook'))).id)
    },
    { frees: true }
  )
  return { body: { _value: null } }
}

/** Below the token of the request. */
function ofToken(handler: ApiHandler): ApiHandler {
  return async (context, request) => {
    ownToken(request)
    return handler(context, request)
  }
}

export const webhookHandlers = {
  addWebhook: add,
  webhook: read,
  changeWebhook: change,
  removeWebhook: remove,
  async webhookField(context, request) {
    const webhook = await readOne(context, request)
    return fieldOf(webhook, param(request, 'field'), `/1/webhooks/${webhook.id}`)
  },
  tokenWebhooks: ofToken(async ({ store }, request) => {
    const rows = await store.read(() => listWebhooks(memberOf(request).tokenId))
    const fields = sent(request, 'fields')
    return { body: rows.map((row) => selectFields(presentWebhook(row), fields)) }
  }),
  addTokenWebhook: ofToken(add),
  tokenWebhook: ofToken(read),
  changeTokenWebhook: ofToken(change),
  removeTokenWebhook: ofToken(remove)
} as const satisfies Partial<Record<HandlerName, ApiHandler>>
