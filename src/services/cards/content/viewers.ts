import type { IncomingMessage } from 'node:http'
import type { FindToken } from '../../../kernel/credentials/table.ts'
import type { CardContext } from '../context.ts'
import { PermissionMissing } from '../contract.ts'
import { createApiLimits, hasLimits } from '../http/api-limits.ts'
import { identify, mayRead, requestTokens } from '../http/credentials.ts'
import { readPreviewToken } from '../http/preview-token.ts'
import type { Identity } from '../records/viewer.ts'

/** Who sent a request; a request is counted and its token checked only once. */
export interface Viewers {
  /** Without a query if it has no token. */
  identify: (
    raw: IncomingMessage,
    query?: URLSearchParams,
    findToken?: FindToken
  ) => Promise<Identity>
  /** For a request with the same token as another one; throws if there are too many. */
  count: (raw: IncomingMessage, identity: Identity) => void
}

/** Keys of web pages have limits of their own, apart from those of the compatible API. */
export function createViewers(context: CardContext): Viewers {
  const { kernel, options } = context
  const limits = hasLimits(kernel, options.rateLimit)
    ? createApiLimits(kernel, options.rateLimit)
    : undefined
  const identities = new WeakMap<IncomingMessage, Promise<Identity>>()
  const findPreview = (token: string) =>
    token.startsWith('pv_') ? readPreviewToken(context, token, kernel.now()) : undefined

  async function find(
    raw: IncomingMessage,
    query: URLSearchParams | undefined,
    findToken: FindToken | undefined
  ): Promise<Identity> {
    limits?.countAddress(raw)
    const identity = await identify(context, raw, requestTokens(raw, query), {
      readPreviewToken: findPreview,
      findToken
    })
    limits?.countToken(identity.principal?.tokenId, false)
    if (!mayRead(identity)) throw new PermissionMissing()
    return identity
  }

  return {
    count(raw, identity) {
      if (limits === undefined || identities.has(raw)) return
      limits.countAddress(raw)
      limits.countToken(identity.principal?.tokenId, false)
    },
    identify(raw, query, findToken) {
      const known = identities.get(raw)
      if (known !== undefined) return known
      const found = find(raw, query, findToken)
      identities.set(raw, found)
      return found
    }
  }
}
