import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  createMemorySessions,
  type SessionKind,
  type SessionStore,
  type StoredSession
} from './session-store.ts'

/** A browser that signed in at the pages of a service. */
export interface PageSession {
  /** Value of the cookie; only its digest is stored. */
  readonly secret: string
  /** What `verify` returned for the token. */
  readonly account: string
  readonly expiresAt: number
}

export interface PageSessionOptions {
  /** Name of the service; a session of one service is not valid in another. */
  service: string
  store: SessionStore
  /** The account that a token belongs to; undefined if the token is not valid. */
  verify: (
    token: string,
    request: IncomingMessage
  ) => string | undefined | Promise<string | undefined>
  now: () => Date
}

export interface PageSessions {
  readonly service: string
  verify: PageSessionOptions['verify']
  open: (account: string) => Promise<PageSession>
  /** The first valid session: other ports of the host can set more cookies of the name. */
  find: (secrets: readonly string[]) => Promise<PageSession | undefined>
  end: (session: PageSession) => Promise<void>
  /** Adds a code to the URL of a page that signs a browser in, once and within a minute. */
  createLink: (url: string, account: string) => Promise<string>
  /** Uses the code of a link; undefined if it was used before, has expired or never existed. */
  useLink: (code: string) => Promise<string | undefined>
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export const SESSION_LIMITS = {
  /** A session ends after this time, used or not. */
  lifetimeMs: 24 * HOUR_MS,
  /** A session ends if it was not used for this long. */
  idleMs: 4 * HOUR_MS,
  linkLifetimeMs: MINUTE_MS,
  /** Of each service, and as many unused links. */
  maximum: 100
} as const

/** The time of the last use is stored at most this often. */
const USE_INTERVAL_MS = MINUTE_MS
/** Cookies of one name that are looked up for one request. */
const MAX_COOKIES = 16
const SECRET_BYTES = 32
const SECRET = /^[\w-]{43}$/

/** Parameter of a one-time link. */
export const LINK_PARAMETER = 'signin'

/** Browsers send it to every port of the host, so each service has a name of its own. */
export function sessionCookieName(service: string): string {
  return `nonet_${service}`
}

/** Value of `Set-Cookie`. */
export function sessionCookie(service: string, secret: string, isSecure: boolean): string {
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return `${sessionCookieName(service)}=${secret}; ${attributes}`
}

/** Value of `Set-Cookie` that deletes the cookie. */
export function endedSessionCookie(service: string): string {
  return `${sessionCookieName(service)}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`
}

export function createPageSessions(options: PageSessionOptions): PageSessions {
  const { service, store, verify } = options
  const now = () => options.now().getTime()

  function digestOf(kind: SessionKind, secret: string): string {
    return createHash('sha256').update(`${service} ${kind} ${secret}`).digest('base64url')
  }

  async function add(kind: SessionKind, account: string): Promise<[secret: string, time: number]> {
    const secret = randomBytes(SECRET_BYTES).toString('base64url')
    const time = now()
    const { createdBefore, usedBefore } = expiryOf(kind, time)
    await store.add(
      { kind, digest: digestOf(kind, secret), account, createdAt: time, usedAt: time },
      { createdBefore, usedBefore, maximum: SESSION_LIMITS.maximum }
    )
    return [secret, time]
  }

  async function findOne(secret: string): Promise<PageSession | undefined> {
    const stored = await store.find(digestOf('session', secret))
    const time = now()
    if (stored === undefined || isExpired(stored, time)) return undefined
    if (time - stored.usedAt >= USE_INTERVAL_MS) await store.use(stored.digest, time)
    return toPageSession(secret, stored.account, stored.createdAt)
  }

  return {
    service,
    verify,
    async open(account) {
      const [secret, time] = await add('session', account)
      return toPageSession(secret, account, time)
    },
    async find(secrets) {
      for (const secret of secrets.filter((value) => SECRET.test(value)).slice(0, MAX_COOKIES)) {
        const session = await findOne(secret)
        if (session !== undefined) return session
      }
      return undefined
    },
    async end({ secret }) {
      await store.take(digestOf('session', secret))
    },
    async createLink(url, account) {
      const [code] = await add('link', account)
      const link = new URL(url)
      link.searchParams.set(LINK_PARAMETER, code)
      return link.href
    },
    async useLink(code) {
      const link = await store.take(digestOf('link', code))
      return link === undefined || isExpired(link, now()) ? undefined : link.account
    }
  }
}

function toPageSession(secret: string, account: string, createdAt: number): PageSession {
  return { secret, account, expiresAt: createdAt + SESSION_LIMITS.lifetimeMs }
}

function isExpired({ kind, createdAt, usedAt }: StoredSession, time: number): boolean {
  const { createdBefore, usedBefore } = expiryOf(kind, time)
  return createdAt <= createdBefore || usedAt <= usedBefore
}

function expiryOf(kind: SessionKind, time: number) {
  const { lifetimeMs, idleMs, linkLifetimeMs } = SESSION_LIMITS
  return kind === 'link'
    ? { createdBefore: time - linkLifetimeMs, usedBefore: time - linkLifetimeMs }
    : { createdBefore: time - lifetimeMs, usedBefore: time - idleMs }
}

export const ADMIN_ACCOUNT = 'admin'

/** Sessions of operators, who have the admin token, in memory. */
export function createAdminSessions(
  service: string,
  { isAdminToken, now }: { isAdminToken: (given: string) => boolean; now: () => Date }
): PageSessions {
  return createPageSessions({
    service,
    store: createMemorySessions(),
    verify: (token) => (isAdminToken(token) ? ADMIN_ACCOUNT : undefined),
    now
  })
}
