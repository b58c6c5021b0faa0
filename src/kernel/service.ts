import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyServerOptions } from 'fastify'
import type { BaseUrl } from './base-url.ts'
import type { ClientIp } from './client-ip.ts'
import type { Credentials } from './credentials/credentials.ts'
import type { CredentialRules } from './credentials/rules.ts'
import type { Database, Engine, Migration } from './database/database.ts'
import type { SqlValue, Transaction } from './database/transaction.ts'
import type { ErrorResponse, PresentError } from './errors.ts'
import type { Files } from './files/files.ts'
import type { HeldRequests } from './held-requests.ts'
import type { Outbound } from './outbound.ts'
import type { JobHandlers, Outbox } from './outbox/job.ts'
import type { Frame } from './page.ts'
import type { SecretRules } from './secrets/rules.ts'
import type { Secrets } from './secrets/secrets.ts'

/** What the host provides to each service. */
export interface Kernel {
  now: () => Date
  /** Of nonet; the same request may have other bytes in another version. */
  version: string
  outbound: Outbound
  /** The service's URL from the client's point of view, without a trailing slash. */
  baseUrl: BaseUrl
  /** IP address of the client; only trusted proxies are skipped. */
  clientIp: ClientIp
  /** Held requests of all services, limited by the number of connections. */
  held: HeldRequests
  /** The service's URL on this machine; empty until it listens. */
  localUrl: () => string
  /** Whether only this machine is meant to reach the process, as far as the settings tell. */
  loopback: boolean
  /** URLs of this service for other machines; empty without `--lan`. */
  lanUrls: () => readonly string[]
  /** Whether a `Host` value may be used for pages and control routes. */
  isKnownHost: (host: string) => boolean
  /** Whether the request may be of another machine: a setting tells so, or a proxy's header. */
  isFromOutside: (request: IncomingMessage) => boolean
  /** Whether the request is an operator's: if it is not from outside, else only with the token. */
  isAdmin: (request: IncomingMessage) => boolean
  isAdminToken: (given: string) => boolean
  /** Key of the form tokens on pages that are shown without a session. */
  formKey: string
  /** Values of the service's session cookie, which its other handlers do not see. */
  sessionCookies: (request: IncomingMessage) => readonly string[]
  /** Absolute path of this service's folder below the data folder; it may not exist yet. */
  folder: string
  /** The service's tables. Throws if the service has no database. */
  readonly database: Database
  /** Whether `database` exists: `needsDatabase` may have declined it. */
  hasDatabase: boolean
  /** The service's files. Throws if the service does not declare `hasFiles`. */
  readonly files: Files
  /** The service's tokens. Throws if the service does not declare `credentials`. */
  readonly credentials: Credentials
  /** Seals values for the service's tables. Throws if the service does not declare `secrets`. */
  readonly secrets: Secrets
  /** The service's jobs. Throws if the service does not declare `outbox`. */
  readonly outbox: Outbox
  /** Listens on a port that the service declares; to be called in `mount`, opened after it. */
  listen: (name: string, handler: ListenerHandler) => void
  /** Undefined until it listens. */
  listenerAddress: (name: string) => ListenerAddress | undefined
  /** Prints one line for the operator; it must not contain personal data or secrets. */
  warn: (text: string) => void
  /** Like `warn`, for what needs no action: not printed with `--quiet`. */
  inform: (text: string) => void
  /** What the top bar shows on a page at this URL, which is of the reader's point of view. */
  frame: (baseUrl: string) => Frame
  /** For services that send errors themselves; thrown errors are presented by the host. */
  presentError: PresentError
  /** Undefined if the host has no console. */
  consoleEndpoint: (() => ConsoleEndpoint) | undefined
}

/** A TCP port of a service besides that of HTTP; its name on the command line is `<service>-<name>`. */
export interface ExtraPort<Key extends string = string> {
  /** Also the scheme of its URL. */
  readonly name: string
  /** Added to the base port. */
  readonly offset: number
  /** A few words for the startup output. */
  readonly summary: string
  /** The setting with the addresses to listen on, an array; those of the host are not used. */
  readonly hostSetting: Key
}

/** What a service does with the connections of a port. */
export interface ListenerHandler {
  /** Maximum number of connections of one client address; further ones are passed to `reject`. */
  readonly maxPerClient: number
  /** The socket is in paused mode until it is read; its errors are handled by the host. */
  readonly onConnection: (socket: Socket) => void
  /** Writes why the connection is closed, in the protocol of the port; the host closes it. */
  readonly reject: (socket: Socket) => void
  /** Called when draining begins: tells clients and ends their connections. */
  readonly close: () => void
}

/** Where a port listens, as clients of this machine reach it. */
export interface ListenerAddress {
  readonly host: string
  readonly port: number
}

/** URL of a service's console routes and the headers that authorise requests to them. */
export interface ConsoleEndpoint {
  url: string
  headers: Record<string, string>
}

interface Described {
  /** One line for `--help`, the configuration schema and the documentation. */
  about: string
  /** Masked wherever the configuration is shown. */
  secret?: true
  /** A second, shorter name of the flag. */
  alias?: string
  /** Value that unchanged clients of the replaced service need; `--as-original` sets it. */
  original?: string | number
  /** Set if there is no flag, because other users of the machine can read command lines. */
  hasFlag?: false
}

/** An option of a service: `--<service>-<key>`, `NONET_<SERVICE>_<KEY>` or a key in the file. */
export type Setting = Described &
  (
    | { kind: 'string'; default?: string; choices?: readonly string[]; example?: string }
    | { kind: 'number'; default: number; minimum: number; maximum: number }
    | { kind: 'array'; default: readonly string[]; example?: string }
    | { kind: 'boolean'; default: false }
    /** `aboutOff` describes the flag `--no-…`, the only one that has an effect. */
    | { kind: 'boolean'; default: true; aboutOff: string }
  )

export type Settings = Readonly<Record<string, Setting>>

type Value<S extends Setting> = S extends { kind: 'number' }
  ? number
  : S extends { kind: 'array' }
    ? readonly string[]
    : S extends { kind: 'boolean' }
      ? boolean
      : S extends { default: string }
        ? string
        : string | undefined

export type Options<S extends Settings = Settings> = { readonly [Key in keyof S]: Value<S[Key]> }

/**
 * Sends a prepared response; false passes the request to the routes. True may also mean that the
 * body is read first; the service then calls `app.routing` if no prepared response matches.
 */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean

/** A request that shows what a service does; it succeeds on a first start. */
export interface ExampleRequest {
  method: string
  /** Relative to the service's root. */
  path: string
  /** Sent as JSON. */
  body?: object
}

/** A running service, as the host sees it. */
export interface Mounted {
  /** Sets up the router; called once, before the service listens (but see `lazyRoutes`). */
  routes?: (app: FastifyInstance) => void | Promise<void>
  /**
   * For a service whose `fastPath` handles nearly all requests: the router is loaded from the disk
   * and set up with the first request that `fastPath` passes on, and again after an error of it.
   */
  lazyRoutes?: boolean
  /** Called before routing, which costs more than sending prepared bytes. */
  fastPath?: FastPath
  /**
   * Handles a WebSocket handshake: the service responds as usual, or takes over the response's
   * socket and sets the status to 101 for the log. If undefined, handshakes are rejected.
   */
  upgrade?: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** Routes below `/<name>` of the console port, behind the console's access checks. */
  consoleRoutes?: (console: FastifyInstance) => void
  /**
   * The resources that a new token is bound to, which flags of `CredentialRules` select; all if
   * undefined. Errors are sentences for the operator.
   */
  bindToken?: (
    flags: Readonly<Record<string, unknown>>,
    scopes: readonly string[]
  ) => Promise<readonly string[]>
  /** Names of bindings for lists of tokens; those without a name are shown as they are. */
  nameBindings?: (bindings: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** False if an option has disabled the page for people of `Service.pagePath`. */
  hasPage?: boolean
  /** Replaces the example of the service if it depends on its data. */
  example?: () => ExampleRequest | undefined
  /** Adds a code to the URL of a page that signs a browser in once; for links of the console. */
  createSignInLink?: (url: string) => Promise<string>
  /** More links on the start page, relative to the console's root. */
  consoleLinks?: readonly { path: string; text: string }[]
  /** A remark for the startup output, such as the name of the data set. */
  startupNote?: string | undefined
  /** Lines for the startup output with URLs to try. */
  startupLines?: (url: string) => readonly string[]
  /** Exit code of the process; 0 by default. */
  exitCode?: () => number
  /** What runs the jobs of the outbox, by kind; they load their modules at the first job. */
  jobs?: JobHandlers
  /** Called once, when the service listens: begins what runs without requests, and must not wait. */
  started?: () => void
  /** Called before draining: close event streams, long polls and WebSockets now. */
  closeStreams?: () => void
  /** Restores the state of a first start; database and folder are already empty. */
  reset?: () => void | Promise<void>
  stop?: () => void | Promise<void>
}

/** Commands that work without a running server: `nonet check|import|export|types <service> …`. */
export interface Tools {
  /** Problems in a folder of the user's data; an empty array means that it is valid. */
  check?: (folder: string) => Promise<readonly Finding[]>
  /** Converts data from another format and writes it to `to` in the service's format. */
  import?: (from: string, to: string) => Promise<string>
  /** Writes files that any static web server can serve. */
  export?: (to: string, options: ExportOptions) => Promise<string>
  /** Commands of the same names for data in the service's tables. */
  remote?: RemoteTools
}

export interface RemoteTools {
  import?: RemoteCommand
  export?: RemoteCommand
  reset?: RemoteCommand
  /** Problems in the stored data. */
  check?: RemoteCommand<readonly Finding[]>
  /** The source of a typed client, which the command writes to a file or prints. */
  types?: RemoteCommand
}

/** A command carried out by the nonet process that uses the data, or by one started for it. */
export interface RemoteCommand<Result = string> {
  /** Flags of the command, each with a line for `--help`. */
  flags: Readonly<Record<string, { type: 'string' | 'boolean'; about: string }>>
  /** Whether more than one file may be named. */
  severalFiles?: true
  /** Resolves to the output; rejects with `UserError` if it cannot be done. */
  run: (endpoint: ConsoleEndpoint, options: RemoteCommandOptions) => Promise<Result>
}

export interface RemoteCommandOptions {
  /** Absolute path of the first file that was named; empty if the command takes none. */
  file: string
  /** Absolute paths of all files that were named. */
  files: readonly string[]
  flags: Readonly<Record<string, unknown>>
  show: (done: number, total: number) => void
}

export interface ExportOptions {
  /** Folder named by the user; undefined means the data that a start would serve. */
  from: string | undefined
  /** The service's folder below the data folder. */
  folder: string
  baseUrl: string
  settings: Options
}

export interface Finding {
  /** An error prevents the data from being loaded, a warning does not. */
  level: 'error' | 'warning'
  where: string
  text: string
}

/**
 * Backups contain all tables and columns of a service as numbers, strings and bytes. Columns whose
 * format depends on the engine, such as an index of JSON, are omitted; the service recomputes them.
 */
export interface RecomputedColumns {
  columns: readonly string[]
  /** Stores one row of a backup, including the recomputed columns. */
  restoreRow: (row: Readonly<Record<string, SqlValue>>, engine: Engine) => Transaction<void>
}

/** One service. Services do not depend on each other; only the host knows all of them. */
export interface Service<S extends Settings = Settings> {
  /** The name in `nonet up <name>`. */
  name: string
  /** Label in the specification. */
  label: `I-${number}`
  /** About six words for the startup output. */
  summary: string
  /** Name of the API whose clients can use this service unchanged. */
  compatibleWith: string
  /** For the snippets of the console. */
  example: ExampleRequest
  /** Path of the page for people; if undefined, the console has one at `/<name>/`. */
  pagePath?: string
  /**
   * Set if browsers sign in there, which the console does for them: always, or only those that may
   * be of another machine.
   */
  hasSignIn?: 'always' | 'outside'
  settings: S
  /**
   * Migrations of the schema, applied in order, once each; a released one is never changed. A
   * service with migrations has a database. Sample data is created in `mount` and `reset`.
   */
  migrations?: readonly Migration[]
  /** Whether the service needs its database with these options; true by default. */
  needsDatabase?(options: Options<S>, ephemeral: boolean): boolean
  /** Whether the service stores files; its migrations then contain `filesMigration()`. */
  hasFiles?: true
  /** The tokens that the service accepts; its migrations then contain `credentialsMigration()`. */
  credentials?: CredentialRules
  /** The sealed values of the service; its migrations then contain `secretsMigration()`. */
  secrets?: SecretRules
  /** Whether the service has an outbox; its migrations then contain `outboxMigration()`. */
  outbox?: true
  /**
   * Locks of `kernel.database` for work that one of several processes does, each with a few words
   * for `nonet doctor`.
   */
  locks?: Readonly<Record<string, string>>
  /** TCP ports besides that of HTTP. */
  ports?: readonly ExtraPort<keyof S & string>[]
  /** Columns that backups omit, by table. */
  derived?: Readonly<Record<string, RecomputedColumns>>
  /** Names of the cookies that the service sets; its requests have no other cookies of nonet. */
  cookies?: readonly string[]
  /** The path as the log shows it, for a service with secrets in paths. */
  maskPath?: (path: string) => string
  /** Fastify options of this service. */
  server?: Pick<FastifyServerOptions, 'bodyLimit' | 'rewriteUrl' | 'routerOptions'>
  /** The service's wire format for errors, also for malformed HTTP. */
  renderError: (error: FastifyError) => ErrorResponse
  /** Which clients get errors as pages; by default navigations if there is a `pagePath`. */
  wantsErrorPage?: (request: IncomingMessage, rendered: ErrorResponse) => boolean
  openapi: (baseUrl: string) => object | Promise<object>
  /** Path of a schema in another language than OpenAPI, relative to the root. */
  schemaPath?: string
  tools?: Tools
  mount(kernel: Kernel, options: Options<S>): Promise<Mounted>
}
