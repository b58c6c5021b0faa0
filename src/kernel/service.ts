import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyError, FastifyInstance, FastifyServerOptions } from 'fastify'
import type { BaseUrl } from './base-url.ts'
import type { ClientIp } from './client-ip.ts'
import type { Database, Engine, Migration } from './database/database.ts'
import type { SqlValue, Transaction } from './database/transaction.ts'
import type { ErrorResponse } from './errors.ts'
import type { Outbound } from './outbound.ts'

/** What the host lends to every service; the only way out of it. */
export interface Kernel {
  now: () => Date
  outbound: Outbound
  /** The service's own address as this request sees it, without a trailing slash. */
  baseUrl: BaseUrl
  /** The address of whoever sent this request, seen through trusted proxies only. */
  clientIp: ClientIp
  /** The service's own address on this machine, once it listens. */
  localUrl: () => string
  /** Whether nothing but this machine can reach us. */
  loopback: boolean
  /** Addresses of this service that other machines can type; none unless all interfaces listen. */
  lanUrls: () => readonly string[]
  /** Whether a `Host` value may reach pages and control routes. */
  isKnownHost: (host: string) => boolean
  /** Whether the operator sent this: on loopback whoever asks, else the holder of the token. */
  isAdmin: (request: Pick<IncomingMessage, 'headers'>) => boolean
  /** Absolute path of this service's folder below the data folder; it may not exist yet. */
  folder: string
  /** The service's own tables. It throws for a service without migrations, which has none. */
  readonly database: Database
  /** Whether there is such a database: a service may do without it (`needsTables`). */
  hasDatabase: boolean
  /** One line for the operator; never personal data, never a secret. */
  warn: (text: string) => void
  /** Where this service's console routes are reached from inside, if there is a console. */
  consoleEndpoint: (() => ConsoleEndpoint) | undefined
}

/** Where a service's console routes are, and what opens them. */
export interface ConsoleEndpoint {
  url: string
  headers: Record<string, string>
}

interface Described {
  /** One line for `--help`, the configuration schema and the docs. */
  about: string
  /** Masked wherever the configuration is shown. */
  secret?: true
  /** A second, shorter name of its flag. */
  alias?: string
}

/** One option of a service: `--<service>-<key>`, `NONET_<SERVICE>_<KEY>`, or a key of the file. */
export type Setting = Described &
  (
    | { kind: 'string'; default?: string; choices?: readonly string[]; example?: string }
    | { kind: 'number'; default: number; minimum: number; maximum: number }
    | { kind: 'array'; default: readonly string[]; example?: string }
    | { kind: 'boolean'; default: false }
    /** `aboutOff` describes the negated flag `--no-…`, the only one a user needs. */
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
 * Sends an answer whose bytes lie ready; false leaves the request to the routes. True may also
 * mean that the body is read first, and routing (`app.routing`) follows if nothing lies ready.
 */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean

/** What a mounted service hands back to the host. */
export interface Mounted {
  /** Sets up the router, once: at the start, before the service listens. */
  routes?: (app: FastifyInstance) => void | Promise<void>
  /**
   * For a service whose `answerReady` answers nearly everything: the router is loaded from the disk
   * and set up with the first request that `answerReady` leaves to it.
   */
  lazyRoutes?: boolean
  /** Asked before routing, which costs more than sending prepared bytes. */
  fastPath?: FastPath
  /**
   * A request that wants to become a WebSocket: the service answers it as any other, or takes the
   * response's socket over and sets its status to 101 for the log. Without this it is refused.
   */
  upgrade?: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** Routes below `/<name>` of the console port, behind the console's protections. */
  consoleRoutes?: (console: FastifyInstance) => void
  /** Links on the start page, relative to the console's root. */
  consoleLinks?: readonly { path: string; text: string }[]
  /** A remark for the start lines, such as which data set is served. */
  startupNote?: string | undefined
  /** What can be tried at its address, a line each. */
  startupLines?: (url: string) => readonly string[]
  /** What a run that is over means to whoever started it; 0 unless told. */
  exitCode?: () => number
  /** The doors are closing: requests that would never end by themselves end now. */
  closeStreams?: () => void
  /** Back to the state of a fresh start; database and folder are empty by then. */
  reset?: () => void | Promise<void>
  stop?: () => void | Promise<void>
}

/** Work on files that needs no running server: `nonet check|import|export <service> …`. */
export interface Tools {
  /** Findings in a folder of the user's data; an empty list means sound. */
  check?: (folder: string) => Promise<readonly Finding[]>
  /** Reads a foreign layout and writes this service's own into `to`. */
  import?: (from: string, to: string) => Promise<string>
  /** Writes files that need no nonet to be served. */
  export?: (to: string, options: ExportOptions) => Promise<string>
  /** The same verbs for what lies in the service's tables. */
  remote?: Readonly<Partial<Record<'import' | 'export' | 'reset', RemoteCommand>>>
}

/** Work of a command that a nonet does: the one that runs on the data, or one started for it. */
export interface RemoteCommand {
  /** Flags of its own, each with a line for `--help`. */
  flags: Readonly<Record<string, { type: 'string' | 'boolean'; about: string }>>
  /** Resolves to what is printed; what cannot be done is a `StartFailure`. */
  run: (endpoint: ConsoleEndpoint, options: RemoteCommandOptions) => Promise<string>
}

export interface RemoteCommandOptions {
  /** Absolute path of the file that was named. */
  file: string
  flags: Readonly<Record<string, unknown>>
  show: (done: number, total: number) => void
}

export interface ExportOptions {
  /** Data named by the user; otherwise what a start would serve. */
  from: string | undefined
  /** The service's folder below the data folder. */
  folder: string
  baseUrl: string
  settings: Options
}

export interface Finding {
  /** An error keeps the data from being loaded, a warning does not. */
  level: 'error' | 'warning'
  where: string
  text: string
}

/**
 * Backups hold every table of a service's schema, with every column, as numbers, text and bytes.
 * A column whose form differs by engine, such as an index form of JSON, is left out and made
 * again by whoever can: the service.
 */
export interface RecomputedColumns {
  columns: readonly string[]
  /** Stores one row of a backup, the derived columns included. */
  restoreRow: (row: Readonly<Record<string, SqlValue>>, engine: Engine) => Transaction<void>
}

/** One of the nine. Only the host knows that there are others. */
export interface Service<S extends Settings = Settings> {
  /** The noun typed after `nonet up`. */
  name: string
  /** Label in the specification. */
  label: `I-${number}`
  /** About six words for the start lines. */
  summary: string
  /** Drop-in for clients of … */
  compatibleWith: string
  /** A path worth opening first, relative to the service's root. */
  tryPath: string
  settings: S
  /**
   * Steps of the schema, applied in order, once each; never changed once released. Their presence
   * gives the service a database. They create and convert; samples belong into `mount` and `reset`.
   */
  migrations?: readonly Migration[]
  /** Whether tables are needed with these options; always, unless told. */
  needsDatabase?(options: Options<S>, ephemeral: boolean): boolean
  /** Columns that backups leave out, by table. */
  derived?: Readonly<Record<string, RecomputedColumns>>
  /** Fastify options that only this service needs. */
  server?: Pick<FastifyServerOptions, 'bodyLimit' | 'rewriteUrl' | 'routerOptions'>
  /** The service's own wire format for errors; used for malformed HTTP too. */
  renderError: (error: FastifyError) => ErrorResponse
  openapi: (baseUrl: string) => object | Promise<object>
  /** Where a schema in another language than OpenAPI is published, relative to the root. */
  schemaPath?: string
  tools?: Tools
  mount(kernel: Kernel, options: Options<S>): Promise<Mounted>
}
