import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { S3Location } from '../kernel/files/s3-location.ts'
import { createHeldRequests, type HeldRequests } from '../kernel/held-requests.ts'
import { createOutbound, type Outbound } from '../kernel/outbound.ts'
import type { Mounted, Service } from '../kernel/service.ts'
import { type Access, createAccess } from './access.ts'
import { connectableHost, httpUrl, lanUrlsOf } from './addresses.ts'
import type { Application } from './application.ts'
import type { Configuration } from './configuration-reader.ts'
import { type Connections, createConnections } from './connections.ts'
import { createBaseUrlOf, createKernel } from './create-kernel.ts'
import { type DataFolder, openDataFolder } from './data-folder.ts'
import { errorPagesOf } from './error-pages.ts'
import { listeningHosts } from './exposure.ts'
import { createExtraPorts, type ExtraPorts, type RunningPort } from './extra-ports.ts'
import { createLazyApplication, loadApplication } from './lazy-application.ts'
import { type Listener, type ListenerOptions, openListener } from './listener.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createObserver } from './observer.ts'
import type { SharedKeys } from './open-secrets.ts'
import { openStored, type Stored } from './open-stored.ts'
import { createOwnCookies, type OwnCookies } from './own-cookies.ts'
import { CONSOLE, frameFor } from './page-frame.ts'
import { portNumberOf, portOffset } from './ports.ts'
import { type Readiness, watchDatabases } from './readiness.ts'
import type { Reporter } from './reporter.ts'
import { upgradeOf } from './upgrade.ts'
import { VERSION } from './version.ts'

/** Time that running requests have to finish after a stop signal. */
const DRAIN_DEADLINE_MS = 10_000
/** Share of the connections that may wait for a response at the same time. */
const HELD_SHARE = 1 / 2

export interface RunningService {
  service: Service
  /** URL on this machine. */
  url: string
  startupNote: string | undefined
  /** Lines for the startup output with URLs to try. */
  startupLines: () => readonly string[]
}

export interface Host {
  services: readonly RunningService[]
  /** Ports that are not for HTTP. */
  ports: readonly RunningPort[]
  /** Token for control routes; undefined if local clients need none. */
  token: string | undefined
  console: { url: string; token: string | undefined } | undefined
  folder: string
  reset: (name?: string) => Promise<void>
  stop: () => Promise<void>
  /** To be called after `stop`. */
  exitCode: () => number
}

/** How the listeners of a host behave, which no setting changes. */
export type HostOptions = Pick<ListenerOptions, 'idleGraceMs'>

/** State shared by all services of a host. */
interface HostContext extends HostOptions {
  configuration: Configuration
  reporter: Reporter
  hosts: readonly string[]
  access: Access
  folder: DataFolder
  metrics: Metrics
  connections: Connections
  extraPorts: ExtraPorts
  held: HeldRequests
  outbound: Outbound
  token: string
  cookies: OwnCookies
  secretKeys: SharedKeys
  /** Bucket with the files of services; undefined if they are in the data folder. */
  bucket: S3Location | undefined
  /** Suffix of the schema names of an ephemeral run, so that runs on one server do not collide. */
  suffix: string | undefined
  /** URLs on this machine of the console and of services that already listen, by name. */
  urls: Map<string, string>
  /** Names of services whose page for people is disabled. */
  withoutPage: Set<string>
  /** Listeners of the services; the console's is closed after these have drained. */
  listeners: Listener[]
  /** Called when draining begins. */
  beforeDrain: (() => void)[]
  /** Called in reverse order. */
  cleanups: (() => Promise<unknown>)[]
}

interface MountedService extends Stored {
  service: Service
  handler: RequestListener
  mounted: Mounted
}

/** Starts the console and the configured services; if one fails, all are stopped. */
export async function openHost(
  configuration: Configuration,
  reporter: Reporter,
  options: HostOptions = {}
): Promise<Host> {
  const context = await createHostContext(configuration, reporter, options)
  try {
    const mountedServices: MountedService[] = []
    for (const service of configuration.services) {
      reporter.beforeMount?.()
      mountedServices.push(await mountService(context, service))
    }
    const readiness = watchDatabases(mountedServices, reporter.warn)
    context.cleanups.push(readiness.stop)
    if (configuration.console) await openConsole(context, mountedServices, readiness)
    for (const mountedService of mountedServices) await startListening(context, mountedService)
    for (const mountedService of mountedServices) await startJobs(context, mountedService)
    await context.folder.writeRunFile({
      pid: process.pid,
      console: context.urls.get(CONSOLE),
      token: context.token,
      database: configuration.database,
      files: configuration.ephemeral ? undefined : configuration.files
    })
    return describe(context, mountedServices)
  } catch (error) {
    await close(context)
    throw error
  }
}

async function createHostContext(
  configuration: Configuration,
  reporter: Reporter,
  { idleGraceMs }: HostOptions
): Promise<HostContext> {
  const bucket = await findBucket(configuration)
  const folder = await openDataFolder(configuration, reporter.warn)
  const urls = new Map<string, string>()
  const token = configuration.adminToken ?? randomBytes(24).toString('base64url')
  const cookies = createOwnCookies()
  const access = createAccess(configuration, token, cookies)
  const connections = createConnections()
  const metrics = createMetrics(VERSION, reporter.linesDropped ?? (() => 0))
  const { loopback } = access
  const outbound = createOutbound({ loopback, allow: configuration.outboundAllow })
  return {
    configuration,
    reporter,
    hosts: listeningHosts(configuration),
    access,
    folder,
    metrics,
    connections,
    idleGraceMs,
    extraPorts: createExtraPorts({ configuration, connections, metrics, reporter }),
    held: createHeldRequests(Math.floor(connections.max * HELD_SHARE)),
    outbound,
    token,
    cookies,
    secretKeys: {},
    bucket,
    suffix: configuration.ephemeral ? randomBytes(8).toString('hex') : undefined,
    urls,
    withoutPage: new Set(),
    listeners: [],
    beforeDrain: [],
    cleanups: [folder.close, () => outbound.close(), async () => connections.close()]
  }
}

async function findBucket(configuration: Configuration): Promise<S3Location | undefined> {
  if (configuration.ephemeral || configuration.files === undefined) return undefined
  const { bucketOf } = await import('./file-location.ts')
  return bucketOf(configuration)
}

async function mountService(context: HostContext, service: Service): Promise<MountedService> {
  const stored = await openStored(context, service)
  const { mounted, handler, close } = await mount(context, service, stored)
  context.cleanups.push(close)
  if (mounted.hasPage === false) context.withoutPage.add(service.name)
  if (mounted.closeStreams !== undefined) context.beforeDrain.push(mounted.closeStreams)
  if (mounted.stop !== undefined) context.cleanups.push(async () => mounted.stop?.())
  return { service, ...stored, handler, mounted }
}

async function mount(
  context: HostContext,
  service: Service,
  stored: Stored
): Promise<Pick<Application, 'handler' | 'close'> & { mounted: Mounted }> {
  const { configuration, reporter } = context
  const options = configuration.options[service.name] ?? {}
  const kernel = createKernel(context, service, stored)
  const report = (error: Error) => reporter.onUnexpectedError(service.name, error)
  const mounted = await service.mount(kernel, options)
  const application = mounted.lazyRoutes
    ? createLazyApplication(service, mounted, kernel, report)
    : await loadApplication(service, mounted, kernel, report)
  return { mounted, ...application }
}

async function startListening(context: HostContext, mountedService: MountedService): Promise<void> {
  const { configuration, listeners, extraPorts } = context
  const { service } = mountedService
  // Before that of HTTP, which makes the service ready.
  await extraPorts.open(service, listeners)
  const listener = await listen(context, {
    name: service.name,
    port: portNumberOf(configuration, service.name, portOffset(service)),
    handler: handlerOf(mountedService),
    upgrade: upgradeOf(context.reporter, mountedService),
    renderError: service.renderError,
    maskPath: service.maskPath,
    cookies: service.cookies ?? []
  })
  listeners.push(listener)
}

async function startJobs(
  { beforeDrain, cleanups }: HostContext,
  { outbox, mounted }: MountedService
): Promise<void> {
  if (outbox !== undefined) {
    beforeDrain.push(outbox.drain)
    cleanups.push(() => outbox.stop(DRAIN_DEADLINE_MS))
    await outbox.start(mounted.jobs ?? {})
  }
  mounted.started?.()
}

function handlerOf({ handler, mounted: { fastPath } }: MountedService): RequestListener {
  if (fastPath === undefined) return handler
  return (request, response) => {
    if (!fastPath(request, response)) handler(request, response)
  }
}

interface ListenOptions
  extends Pick<ListenerOptions, 'name' | 'port' | 'handler' | 'upgrade' | 'renderError'> {
  /** Names of the cookies that the handler sets itself. */
  cookies: readonly string[]
  maskPath?: Service['maskPath'] | undefined
}

async function listen(context: HostContext, options: ListenOptions): Promise<Listener> {
  const { hosts, metrics, reporter, cookies, connections, idleGraceMs } = context
  const { name, handler, upgrade } = options
  const { requestTimeoutMs } = context.configuration
  const log = name === CONSOLE ? undefined : reporter.requestLog
  const observer = createObserver({ service: name, maskPath: options.maskPath }, metrics, log)
  const listener = await openListener({
    ...options,
    handler(request, response) {
      cookies.hide(request, name, options.cookies)
      handler(request, response)
    },
    upgrade:
      upgrade &&
      ((request, response) => {
        cookies.hide(request, name, options.cookies)
        return upgrade(request, response)
      }),
    hosts,
    requestTimeoutMs,
    observer,
    connections,
    idleGraceMs
  })
  context.urls.set(name, httpUrl(connectableHost(hosts[0] ?? '127.0.0.1'), listener.port))
  return listener
}

async function openConsole(
  context: HostContext,
  mountedServices: readonly MountedService[],
  readiness: Readiness
): Promise<void> {
  const { configuration, reporter, metrics, access } = context
  const { renderConsoleError, mountConsole } = await import('../console/console.ts')
  const { createApplication } = await import('./application.ts')
  const { processFactsOf } = await import('./process-facts.ts')
  const baseUrl = createBaseUrlOf(context, CONSOLE)
  const frame = (base: string) => frameFor(context, CONSOLE, base)
  const application = createApplication(
    renderConsoleError,
    (error) => reporter.onUnexpectedError(CONSOLE, error),
    errorPagesOf({ name: CONSOLE, pagePath: '/' }, baseUrl, frame)
  )
  mountConsole(application.app, {
    ...access,
    baseUrl,
    metrics: metrics.render,
    facts: processFactsOf({
      ...context,
      folder: context.folder.path,
      readiness,
      loopback: access.loopback,
      lanUrls: (name) => (configuration.lan ? lanUrlsOf(context.urls.get(name)) : [])
    }),
    services: () =>
      mountedServices.map((mountedService) => ({
        ...mountedService,
        url: urlOf(context, mountedService),
        ports: context.extraPorts.list().filter(({ service }) => service === mountedService.service)
      })),
    publicUrl: (name) => configuration.publicUrl[name],
    problem: readiness.problem,
    reset: (name) => reset(context, mountedServices, name),
    frame: (request) => frame(baseUrl(request))
  })
  await application.app.ready()
  context.cleanups.push(application.close)
  const port = configuration.port.console ?? configuration.portBase
  const listener = await listen(context, {
    name: CONSOLE,
    port,
    handler: application.handler,
    upgrade: undefined,
    renderError: renderConsoleError,
    cookies: []
  })
  context.cleanups.push(() => listener.drain(DRAIN_DEADLINE_MS))
}

async function reset(
  { folder }: HostContext,
  mountedServices: readonly MountedService[],
  name?: string
): Promise<void> {
  const { resetServices } = await import('./reset-services.ts')
  await resetServices(mountedServices, folder, name)
}

/** Empty until the service listens. */
function urlOf({ urls }: HostContext, { service }: MountedService): string {
  return urls.get(service.name) ?? ''
}

async function close(context: HostContext): Promise<void> {
  const drained = context.listeners.splice(0).map((listener) => listener.drain(DRAIN_DEADLINE_MS))
  for (const leave of context.beforeDrain.splice(0)) leave()
  await Promise.all(drained)
  for (const undo of context.cleanups.splice(0).reverse()) await undo()
}

function describe(context: HostContext, mountedServices: readonly MountedService[]): Host {
  const { urls, access } = context
  const token = access.loopback ? undefined : context.token
  const consoleUrl = urls.get(CONSOLE)
  return {
    services: mountedServices.map((mountedService) => ({
      service: mountedService.service,
      url: urlOf(context, mountedService),
      startupNote: mountedService.mounted.startupNote,
      startupLines: () =>
        mountedService.mounted.startupLines?.(urlOf(context, mountedService)) ?? []
    })),
    ports: context.extraPorts.list(),
    token,
    console: consoleUrl === undefined ? undefined : { url: consoleUrl, token },
    folder: context.folder.path,
    reset: (name) => reset(context, mountedServices, name),
    stop: () => close(context),
    exitCode: () => Math.max(0, ...mountedServices.map(({ mounted }) => mounted.exitCode?.() ?? 0))
  }
}
