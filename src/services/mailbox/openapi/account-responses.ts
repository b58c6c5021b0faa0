import { type OpenapiPart, ref } from '../../../kernel/openapi.ts'
import { ACCOUNT_STATES } from '../accounts/account.ts'
import { array, COUNT, FLAG, OPTIONAL, object, page, TEXT, TIME, TRUE } from './schema-parts.ts'

const STATE: OpenapiPart = { enum: ACCOUNT_STATES }
const FALSE: OpenapiPart = { const: false }
const ANY_OBJECT: OpenapiPart = { type: 'object' }
const EVENTS = object({ events: { type: 'object', additionalProperties: COUNT } })
const LAST_ERROR: OpenapiPart = { anyOf: [ref('AccountError'), { type: 'null' }] }
const SERVER = {
  host: TEXT,
  port: COUNT,
  secure: FLAG,
  auth: { anyOf: [object({ user: TEXT }, { pass: TEXT, accessToken: TEXT }), FALSE] },
  tls: ANY_OBJECT
}
const PATHS = {
  sentMailPath: OPTIONAL,
  draftsMailPath: OPTIONAL,
  junkMailPath: OPTIONAL,
  trashMailPath: OPTIONAL,
  archiveMailPath: OPTIONAL
}
const ENTRY = { account: TEXT, name: TEXT, type: TEXT, state: STATE, counters: EVENTS }
const ENTRY_EXTRAS = {
  email: TEXT,
  webhooks: TEXT,
  smtpEhloName: TEXT,
  syncTime: TIME,
  lastError: LAST_ERROR
}
const TRIAL = object(
  { success: FLAG },
  { error: TEXT, code: TEXT, statusCode: COUNT, responseText: TEXT }
)
const FOUND_SERVER: OpenapiPart = {
  anyOf: [
    object({ host: TEXT, port: COUNT, secure: FLAG }, { auth: object({ user: TEXT }) }),
    FALSE
  ]
}

export const ACCOUNT_SCHEMAS: OpenapiPart = {
  AccountError: object(
    { response: TEXT },
    { description: TEXT, serverResponseCode: TEXT, since: TIME, tokenRequest: ANY_OBJECT }
  ),
  MailAccount: object(
    {
      ...ENTRY,
      logs: FLAG,
      connections: COUNT,
      notifyFrom: { ...TIME, description: 'Earlier mail is not reported' },
      path: { ...array(TEXT), description: 'Mailboxes whose changes are reported; * for all' },
      imapIndexer: { enum: ['full', 'fast'] },
      subconnections: array(TEXT)
    },
    {
      ...ENTRY_EXTRAS,
      webhooksCustomHeaders: array(ref('CustomHeader')),
      webhookErrorFlag: ref('WebhookError'),
      copy: { type: ['boolean', 'null'] },
      imap: {
        anyOf: [
          object(
            {},
            { ...SERVER, ...PATHS, disabled: FLAG, disableIMAP4rev2: FLAG, resyncDelay: COUNT }
          ),
          FALSE
        ]
      },
      smtp: { anyOf: [object({}, SERVER), FALSE] },
      oauth2: {
        anyOf: [
          object(
            { auth: object({ user: TEXT }) },
            {
              tokenUrl: TEXT,
              clientId: TEXT,
              clientSecret: TEXT,
              accessToken: TEXT,
              refreshToken: TEXT,
              scopes: array(TEXT),
              expires: TIME
            }
          ),
          FALSE
        ]
      },
      smtpStatus: {
        anyOf: [
          object(
            { created: TIME, status: { enum: ['ok', 'error'] } },
            { response: TEXT, description: TEXT, responseCode: COUNT, code: TEXT, command: TEXT }
          ),
          { type: 'null' }
        ]
      },
      sendOnly: TRUE,
      locale: TEXT,
      tz: TEXT,
      quota: {
        anyOf: [object({ limit: COUNT }, { usage: COUNT, status: TEXT }), FALSE],
        description: 'Of the inbox, in bytes; false if the mail server reports no limit'
      }
    }
  ),
  MailAccountEntry: object(ENTRY, ENTRY_EXTRAS)
}

export const accountResponses = {
  addAccount: {
    description: 'It is stored; the sign-in is not checked',
    schema: object({ account: TEXT, state: { enum: ['new', 'existing'] } })
  },
  showAccount: { description: 'The account', schema: ref('MailAccount') },
  changeAccount: { description: 'It is stored', schema: object({ account: TEXT }) },
  removeAccount: { description: 'It is removed', schema: object({ account: TEXT, deleted: TRUE }) },
  listAccounts: {
    description: 'A page of accounts',
    schema: object({
      ...page('accounts', ref('MailAccountEntry')),
      query: { type: ['string', 'boolean'] },
      state: TEXT
    })
  },
  reconnect: { description: 'The account connects again', schema: object({ reconnect: FLAG }) },
  sync: { description: 'The mailboxes are compared soon', schema: object({ sync: FLAG }) },
  flush: { description: 'The mailboxes are read again soon', schema: object({ flush: FLAG }) },
  verifyAccount: {
    description: 'Results of the servers that were tried',
    schema: object({}, { imap: TRIAL, smtp: TRIAL, mailboxes: array(ref('Mailbox')) })
  },
  autoconfig: {
    description: 'The servers; false if no server is known',
    schema: object(
      { imap: FOUND_SERVER, smtp: FOUND_SERVER },
      {
        appPassword: object({ required: FLAG }, { provider: TEXT, instructions: TEXT }),
        _source: TEXT
      }
    )
  },
  accountLog: { description: 'The log', schema: TEXT, type: 'text/plain' }
}
