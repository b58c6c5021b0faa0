import { ACCOUNT_STATES } from '../../accounts/account.ts'
import { PROXIES } from '../missing-features.ts'
import type { InputSchemas } from '../route.ts'
import {
  BOOLEAN,
  CUSTOM_HEADERS,
  DATE_TIME,
  line,
  notOffered,
  object,
  oneOrMore,
  onlyFalse,
  orFalse,
  PAGES,
  secret
} from './parts.ts'

const INDEXERS = 'must be full, fast, or null for that of the settings'
const NO_PATH = 'must name a mailbox, or * for all'
const LOOKUP = 'Credentials are not looked up at other servers'
const APPS = 'OAuth2 applications are not offered; send tokenUrl, clientId and refreshToken'
const CONSENT = 'Consent pages are not offered; send refreshToken'
const DELEGATED = 'Delegated mailboxes are not offered; use the user of the mailbox itself'

const ID = {
  type: ['string', 'null'],
  minLength: 1,
  maxLength: 256,
  // An id in a URL cannot be `.` or `..`.
  pattern: '^(?!\\.{1,2}$)(?!\\s)[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]*(?<!\\s)$',
  messages: { pattern: 'must have no control characters or outer spaces, and not be . or ..' }
}
const HOST = line(255, {
  pattern: '^[\\p{L}\\p{M}\\p{N}_.:\\-]+$',
  messages: { pattern: 'must be a host name or an IP address' }
})
const PORT = { type: 'integer', minimum: 1, maximum: 65_535 }
const USER = line(256, { minLength: 1 })
const PATH = { ...line(1024), type: ['string', 'null'] }
/** Also a special use such as `\\Sent`. */
const WATCHED_PATH = line(1024, { minLength: 1 })
const MAX_PATHS = 100
/** Each is a connection to the mail server, of which most allow about ten. */
const MAX_SUBCONNECTIONS = 5
const MAX_RESYNC_SECONDS = 7 * 24 * 60 * 60
const TLS = object({
  rejectUnauthorized: BOOLEAN,
  minVersion: { type: 'string', enum: ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] }
})

/** `required` differs: a change may be partial. */
function authOf(required: readonly string[]): object {
  return orFalse(object({ user: USER, pass: secret(256), accessToken: secret(16_384) }, required))
}

function serverOf(isNew: boolean) {
  return {
    host: HOST,
    port: PORT,
    secure: isNew ? { ...BOOLEAN, default: false } : BOOLEAN,
    auth: authOf(isNew ? ['user'] : []),
    tls: TLS,
    useAuthServer: onlyFalse(LOOKUP),
    ...(!isNew && { partial: BOOLEAN })
  }
}

function imapOf(isNew: boolean): object {
  const fields = {
    ...serverOf(isNew),
    disabled: BOOLEAN,
    disableIMAP4rev2: BOOLEAN,
    sentMailPath: PATH,
    draftsMailPath: PATH,
    junkMailPath: PATH,
    trashMailPath: PATH,
    archiveMailPath: PATH,
    resyncDelay: { type: 'integer', minimum: 1, maximum: MAX_RESYNC_SECONDS }
  }
  return orFalse(object(fields, isNew ? ['host', 'port'] : []))
}

function smtpOf(isNew: boolean): object {
  return orFalse(object(serverOf(isNew), isNew ? ['host', 'port'] : []))
}

function oauth2Of(isNew: boolean): object {
  const auth = object(
    { user: USER, delegatedUser: notOffered(DELEGATED), delegatedAccount: notOffered(DELEGATED) },
    isNew ? ['user'] : []
  )
  const fields = {
    auth,
    accessToken: secret(16_384),
    refreshToken: secret(16_384),
    expires: DATE_TIME,
    tokenUrl: line(2048, { minLength: 1 }),
    clientId: line(1024, { minLength: 1 }),
    clientSecret: secret(16_384),
    scopes: oneOrMore(line(1024, { minLength: 1 }), { maxItems: 100 }),
    provider: notOffered(APPS),
    authorize: onlyFalse(CONSENT),
    redirectUrl: notOffered(CONSENT),
    useAuthServer: onlyFalse(LOOKUP),
    ...(!isNew && { partial: BOOLEAN })
  }
  return orFalse(object(fields, isNew ? ['auth'] : []))
}

const EHLO_NAME = { ...HOST, messages: { pattern: 'must be a host name' } }

function accountOf(isNew: boolean) {
  return {
    name: line(256),
    email: line(256),
    imap: imapOf(isNew),
    smtp: smtpOf(isNew),
    oauth2: oauth2Of(isNew),
    copy: { type: ['boolean', 'null'] },
    logs: BOOLEAN,
    smtpEhloName: EHLO_NAME,
    locale: line(100),
    tz: line(100),
    expectedEmail: notOffered(CONSENT),
    proxy: notOffered(PROXIES),
    path: oneOrMore(WATCHED_PATH, {
      minItems: 1,
      maxItems: MAX_PATHS,
      messages: { minItems: NO_PATH }
    }),
    subconnections: oneOrMore(WATCHED_PATH, { maxItems: MAX_SUBCONNECTIONS }),
    webhooks: { ...line(2048), type: ['string', 'null'] },
    webhooksCustomHeaders: CUSTOM_HEADERS,
    notifyFrom: { ...DATE_TIME, type: ['string', 'null'] },
    imapIndexer: {
      type: ['string', 'null'],
      enum: ['full', 'fast', null],
      messages: { enum: INDEXERS }
    }
  }
}

export const accountSchemas = {
  addAccount: { body: object({ account: ID, ...accountOf(true) }, ['account', 'name']) },
  changeAccount: { body: object(accountOf(false)) },
  showAccount: { query: { quota: BOOLEAN } },
  removeAccount: {
    query: { revoke: onlyFalse('Grants are not revoked at the provider; revoke them there') }
  },
  listAccounts: {
    query: {
      ...PAGES,
      state: { type: 'string', enum: [...ACCOUNT_STATES, '*'] },
      query: line(256)
    }
  },
  reconnect: { body: object({ reconnect: BOOLEAN }, ['reconnect']) },
  sync: { body: object({ sync: BOOLEAN }, ['sync']) },
  flush: {
    body: object(
      {
        flush: BOOLEAN,
        notifyFrom: DATE_TIME,
        imapIndexer: { type: 'string', enum: ['full', 'fast'] }
      },
      ['flush']
    )
  },
  verifyAccount: {
    body: object({
      imap: imapOf(true),
      smtp: smtpOf(true),
      mailboxes: BOOLEAN,
      smtpEhloName: EHLO_NAME,
      proxy: notOffered(PROXIES)
    })
  }
} satisfies Partial<Record<string, InputSchemas>>
