import { constantTimeEqual } from '../../../kernel/admin.ts'
import type { Principal } from '../../../kernel/credentials/rules.ts'
import type { ApiHandler, ApiRequest } from '../context.ts'
import { ObjectUnknown } from '../contract.ts'
import { presentMember } from '../present/member.ts'
import type { Viewer } from '../records/viewer.ts'
import { workspaceOf } from '../records/workspace.ts'
import { requireMember } from '../store/members.ts'
import { removeWebhooksOfToken } from '../store/webhooks.ts'
import { memberOf, param, sent } from './requests.ts'
import type { HandlerName } from './route-table.ts'
import { selectFields } from './values.ts'

/** The token of the path is the one that the request was sent with; others do not exist. */
export function ownToken(request: ApiRequest): Principal {
  const { principal, token } = request
  const isOwn = token !== undefined && constantTimeEqual(param(request, 'token'), token)
  if (principal === undefined || !isOwn) throw new ObjectUnknown()
  return principal
}

function presentToken(
  { tokenId, name, scopes, createdAt, expiresAt }: Principal,
  { member, boards }: Viewer & { kind: 'member' }
): Record<string, unknown> {
  const rights = { read: scopes.includes('read'), write: scopes.includes('write') }
  const models: [string, string][] =
    boards === undefined
      ? [
          [member, 'Member'],
          [workspaceOf(member), 'Organization'],
          ['*', 'Board']
        ]
      : boards.map((board) => [board, 'Board'])
  // Clients read the time of creation from the first eight digits of an id.
  const seconds = Math.floor(createdAt / 1000)
    .toString(16)
    .padStart(8, '0')
  return {
    id: seconds + tokenId,
    identifier: name,
    idMember: member,
    dateCreated: new Date(createdAt).toISOString(),
    dateExpires: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    permissions: models.map(([idModel, modelType]) => ({ idModel, modelType, ...rights }))
  }
}

export const tokenHandlers = {
  async token(_context, request) {
    const token = presentToken(ownToken(request), memberOf(request))
    return { body: selectFields(token, sent(request, 'fields')) }
  },
  async tokenMember({ store }, request) {
    ownToken(request)
    const { member } = memberOf(request)
    const row = await store.read(() => requireMember(member))
    return { body: selectFields(presentMember(row, request.baseUrl), sent(request, 'fields')) }
  },
  async removeToken({ kernel, store }, request) {
    const { tokenId } = ownToken(request)
    await kernel.credentials.revoke(tokenId)
    await store.change(() => removeWebhooksOfToken(tokenId), { frees: true })
    return { body: {} }
  }
} as const satisfies Partial<Record<HandlerName, ApiHandler>>
