import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendJson, sendMessage } from '../answer.ts'
import { KeyUnknown } from '../contract.ts'
import { checkKeyForm } from '../credentials.ts'
import { readAccess, readRequest } from '../management.ts'
import { timestamp } from '../records.ts'
import type { BoxRoom, Handler } from '../room.ts'
import type { IssuedKey, KeyRow } from '../store/keys.ts'
import type { Visit } from '../visit.ts'
import { readPrivacy, readWantedKey } from './scopes.ts'

/** The key that the box was made with; it is not in the list. */
const OWNER = 'owner'
const NO_STORE = ['cache-control', 'no-store']

interface Asked {
  readonly box: string
  readonly key: string | undefined
  /** Which key is meant. */
  readonly id: string | undefined
}

/** `/_keys/<box>` and `/_keys/<box>/<key>`. */
export const KEYS_PLACE: Readonly<Record<string, Handler>> = {
  GET: listKeys,
  POST: issueOrRotate,
  PATCH: switchPrivacy,
  DELETE: revokeKey
}

function readAsked(room: BoxRoom, request: FastifyRequest, visit: Visit): Asked {
  const access = readAccess(room, request, visit)
  checkKeyForm(access.key)
  return { ...access, id: visit.segments[2] }
}

async function listKeys(
  room: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit
): Promise<void> {
  const { box, key } = readAsked(room, request, visit)
  const { private: isPrivate, keys } = await room.store.listKeys(box, key)
  sendJson(reply, JSON.stringify({ private: isPrivate, keys: keys.map(describe) }), NO_STORE)
}

async function issueOrRotate(
  room: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit
): Promise<void> {
  const { box, key, id } = readAsked(room, request, visit)
  const { store } = room
  if (id === OWNER) return sendIssued(reply, { id, key: await store.replaceOwner(box, key) })
  if (id !== undefined)
    return sendIssued(reply, describeIssued(await store.rotateKey(box, key, id)))
  const wanted = readWantedKey((await readRequest(request)).value)
  const headers = room.countRequest(request.raw)
  sendIssued(reply, describeIssued(await store.issueKey(box, key, wanted)), headers)
}

function sendIssued(reply: FastifyReply, issued: object, headers: readonly string[] = []): void {
  sendJson(reply, JSON.stringify(issued), [...headers, ...NO_STORE])
}

async function switchPrivacy(
  room: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit
): Promise<void> {
  const { box, key } = readAsked(room, request, visit)
  const wanted = readPrivacy((await readRequest(request)).value)
  await room.store.setPrivate(box, key, wanted)
  sendMessage(reply, wanted ? 'Box is private.' : 'Box is public.')
}

async function revokeKey(
  room: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit
): Promise<void> {
  const { box, key, id } = readAsked(room, request, visit)
  if (id === undefined) throw new KeyUnknown()
  await room.store.revokeKey(box, key, id)
  sendMessage(reply, 'Key revoked.')
}

function describe({ id, label, scopes, created, revoked }: KeyRow) {
  return {
    id,
    label: label ?? undefined,
    scopes,
    createdOn: timestamp(created),
    revokedOn: revoked === null ? undefined : timestamp(revoked)
  }
}

/** The only time that the secret is told. */
function describeIssued({ key, ...row }: IssuedKey) {
  return { ...describe(row), key }
}
