import type { FastifyReply, FastifyRequest } from 'fastify'
import { isoTime } from '../../../../kernel/iso-time.ts'
import type { BoxContext, Handler } from '../../context.ts'
import { ApiKeyUnknown } from '../../contract.ts'
import type { BoxTarget } from '../../http/box-target.ts'
import { checkKeyForm } from '../../http/credentials.ts'
import { sendJson, sendMessage } from '../../http/response.ts'
import type { IssuedKey, KeyRow } from '../../store/keys.ts'
import { readAccess, readRequest } from '../settings-routes.ts'
import { readPrivacy, readWantedKey } from './scopes.ts'

/** Name of the owner key in URLs; this key is not in the list of keys. */
const OWNER = 'owner'
const NO_STORE = ['cache-control', 'no-store']

interface Asked {
  readonly box: string
  readonly key: string | undefined
  /** Id of the key that the URL names. */
  readonly id: string | undefined
}

/** Handlers of `/_keys/<box>` and `/_keys/<box>/<key>`. */
export const KEY_ROUTES: Readonly<Record<string, Handler>> = {
  GET: listKeys,
  POST: issueOrRotate,
  PATCH: switchPrivacy,
  DELETE: revokeKey
}

function readAsked(context: BoxContext, request: FastifyRequest, target: BoxTarget): Asked {
  const access = readAccess(context, request, target)
  checkKeyForm(access.key)
  return { ...access, id: target.segments[2] }
}

async function listKeys(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  target: BoxTarget
): Promise<void> {
  const { box, key } = readAsked(context, request, target)
  const { private: isPrivate, keys } = await context.store.listKeys(box, key)
  sendJson(reply, JSON.stringify({ private: isPrivate, keys: keys.map(describe) }), NO_STORE)
}

async function issueOrRotate(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  target: BoxTarget
): Promise<void> {
  const { box, key, id } = readAsked(context, request, target)
  const { store } = context
  if (id === OWNER) return sendIssued(reply, { id, key: await store.replaceOwner(box, key) })
  if (id !== undefined)
    return sendIssued(reply, describeIssued(await store.rotateKey(box, key, id)))
  const wanted = readWantedKey((await readRequest(request)).value)
  const headers = context.countRequest(request.raw)
  sendIssued(reply, describeIssued(await store.issueKey(box, key, wanted)), headers)
}

function sendIssued(reply: FastifyReply, issued: object, headers: readonly string[] = []): void {
  sendJson(reply, JSON.stringify(issued), [...headers, ...NO_STORE])
}

async function switchPrivacy(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  target: BoxTarget
): Promise<void> {
  const { box, key } = readAsked(context, request, target)
  const wanted = readPrivacy((await readRequest(request)).value)
  await context.store.setPrivate(box, key, wanted)
  sendMessage(reply, wanted ? 'Box is private.' : 'Box is public.')
}

async function revokeKey(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  target: BoxTarget
): Promise<void> {
  const { box, key, id } = readAsked(context, request, target)
  if (id === undefined) throw new ApiKeyUnknown()
  await context.store.revokeKey(box, key, id)
  sendMessage(reply, 'Key revoked.')
}

function describe({ id, label, scopes, created, revoked }: KeyRow) {
  return {
    id,
    label: label ?? undefined,
    scopes,
    createdOn: isoTime(created),
    revokedOn: revoked === null ? undefined : isoTime(revoked)
  }
}

/** The only response that contains the secret. */
function describeIssued({ key, ...row }: IssuedKey) {
  return { ...describe(row), key }
}
