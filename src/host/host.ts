import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import type { FastifyError } from 'fastify'
import { holdsToken } from '../kernel/admin.ts'
import { createBaseUrl, isKnownHost } from '../kernel/base-url.ts'
import { createClientAddress } from '../kernel/client-address.ts'
import type { Database } from '../kernel/database/database.ts'
import { createOutbound, type Outbound } from '../kernel/outbound.ts'
import type { Kernel, Mounted, Service } from '../kernel/service.ts'
import { httpUrl, isLoopback, lanAddresses, portOffset, reachable } from './addresses.ts'
import type { Application } from './application.ts'
import type { Configuration } from './configuration-reader.ts'
import { type DataFolder, openDataFolder } from './data-folder.ts'
import { createLazyApplication, loadApplication } from './lazy-application.ts'
import { type Listener, type ListenerOptions, openListener, writeFailure } from './listener.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createObserver } from './observer.ts'
import type { RequestLog } from './request-log.ts'
import { VERSION } from './version.ts'

/** Time for running requests after a stop signal. */
const DRAIN_DEADLINE_MS = 10_000

export interface Hosted {
  service: Service
  /** Address on this machine. */
  url: string
  remark: string | undefined
  /** What can be tried there. */
  lines: () => readonly string[]
}

export interface Host {
  services: readonly Hosted[]
  /** Opens control routes; asked for only beyond loopback. */
  token: string | undefined
  console: { url: string; token: string | undefined } | undefined
  folder: string
  reset: (name?: string) => Promise<void>
  stop: () => Promise<void>
  /** Asked for after the stop. */
  exitCode: () => number
}

export interface Reporter {
  requestLog: RequestLog | undefined
  warn: (text: string) => void
  defect: (service: string, error: Error) => void
}

/** What all tenants of one host share. */
interface House {
  configuration: Configuration
  reporter: Reporter
  hosts: readonly string[]
  loopback: boolean
  folder: DataFolder
  metrics: Metrics
  outbound: Outbound
  token: string
  /** Sets this run's tables apart on a shared server. */
  suffix: string | undefined
  /** Address on this machine by name, of whatever listens already. */
  addresses: Map<string, string>
  /** Doors of the services; the console's stays open until they are drained. */
  doors: Listener[]
  /** Told when the doors close. */
  leaving: (() => void)[]
  /** Undone in reverse order. */
  closing: (() => Promise<unknown>)[]
}

interface Tenant {
  service: Service
  database: Database | undefined
  handler: RequestListener
  mounted: Mounted
}

const CONSOLE = 'console'

/** Brings up the console and the chosen services, or nothing at all. */
export async function openHost(configuration: Configuration, reporter: Reporter): Promise<Host> {
  const house = await openHouse(configuration, reporter)
  try {
    const tenants: Tenant[] = []
    for (const service of configuration.services) tenants.push(await moveIn(house, service))
    if (configuration.console) await openConsole(house, tenants)
    for (const tenant of tenants) await openDoor(house, tenant)
    await house.folder.announce({
      pid: process.pid,
      console: house.addresses.get(CONSOLE),
      token: house.token,
      database: configuration.database
    })
    return describe(house, tenants)
  } catch (error) {
    await close(house)
    throw error
  }
}

async function openHouse(configuration: Configuration, reporter: Reporter): Promise<House> {
  const hosts = configuration.lan ? ['0.0.0.0', '::'] : configuration.host
  const loopback = hosts.every(isLoopback)
  const folder = await openDataFolder(configuration)
  const addresses = new Map<string, string>()
  const outbound = createOutbound({
    loopback,
    allow: configuration.outboundAllow,
    own: () => [addresses.get(CONSOLE) ?? '']
  })
  return {
    configuration,
    reporter,
    hosts,
    loopback,
    folder,
    metrics: createMetrics(VERSION),
    outbound,
    token: configuration.adminToken ?? randomBytes(24).toString('base64url'),
    suffix: configuration.ephemeral ? randomBytes(8).toString('hex') : undefined,
    addresses,
    doors: [],
    leaving: [],
    closing: [folder.close, () => outbound.close()]
  }
}

async function moveIn(house: House, service: Service): Promise<Tenant> {
  const database = await openStorage(house, service)
  const { mounted, handler, close } = await mount(house, service, database)
  house.closing.push(close)
  if (mounted.leave !== undefined) house.leaving.push(mounted.leave)
  if (mounted.stop !== undefined) house.closing.push(async () => mounted.stop?.())
  return { service, database, handler, mounted }
}

async function mount(
  house: House,
  service: Service,
  database: Database | undefined
): Promise<Pick<Application, 'handler' | 'close'> & { mounted: Mounted }> {
  const { configuration, reporter } = house
  const options = configuration.options[service.name] ?? {}
  const kernel = lendKernel(house, service, database)
  const report = (error: Error) => reporter.defect(service.name, error)
  const mounted = await service.mount(kernel, options)
  const application = mounted.lazyRoutes
    ? createLazyApplication(service, mounted, report)
    : await loadApplication(service, mounted, report)
  return { mounted, ...application }
}

async function openStorage(house: House, service: Service): Promise<Database | undefined> {
  const { configuration, folder, suffix } = house
  // The engines are read by who stores something.
  if (service.migrations === undefined && configuration.database === undefined) return undefined
  const options = configuration.options[service.name] ?? {}
  if (service.needsTables?.(options, configuration.ephemeral) === false) return undefined
  const { openServiceDatabase, placeNamed } = await import('./storage.ts')
  const place = placeNamed(service.name, { ...configuration, folder: folder.path, suffix })
  const database = await openServiceDatabase(service, place)
  if (database !== undefined) house.closing.push(database.close)
  return database
}

function lendKernel(house: House, { name }: Service, database: Database | undefined): Kernel {
  const { configuration, reporter, folder, outbound, loopback, token } = house
  return {
    now: () => new Date(),
    outbound,
    loopback,
    isKnownHost: (host) => isKnownHost(host, configuration.allowedHost),
    isAdmin: ({ headers }) => loopback || holdsToken(headers, token),
    folder: folder.serviceFolder(name),
    hasTables: database !== undefined,
    get database() {
      if (database === undefined) throw new Error(`${name} has no tables`)
      return database
    },
    baseUrl: createBaseUrl({
      publicUrl: configuration.publicUrl[name],
      trustedProxies: configuration.trustedProxy,
      allowedHosts: configuration.allowedHost
    }),
    clientAddress: createClientAddress(configuration.trustedProxy),
    ownUrl: () => house.addresses.get(name) ?? '',
    lanUrls: () => lanUrls(house, name),
    warn: (text) => reporter.warn(`${name}: ${text}`),
    ownConsole: configuration.console
      ? () => ({
          url: `${house.addresses.get(CONSOLE)}/${name}`,
          headers: { authorization: `Bearer ${token}` }
        })
      : undefined
  }
}

function lanUrls({ configuration, addresses }: House, name: string): readonly string[] {
  const port = Number(new URL(addresses.get(name) ?? 'http://localhost').port)
  return configuration.lan ? lanAddresses().map((address) => httpUrl(address, port)) : []
}

async function openDoor(house: House, tenant: Tenant): Promise<void> {
  const { configuration } = house
  const { name } = tenant.service
  const offset =
    configuration.portBase === 0 ? 0 : configuration.portBase + portOffset(tenant.service)
  const port = configuration.port[name] ?? offset
  const listener = await listen(house, {
    name,
    port,
    handler: handlerOf(tenant),
    upgrade: upgradeOf(house, tenant),
    renderFailure: tenant.service.renderFailure
  })
  house.doors.push(listener)
}

function handlerOf({ handler, mounted: { answerReady } }: Tenant): RequestListener {
  if (answerReady === undefined) return handler
  return (request, response) => {
    if (!answerReady(request, response)) handler(request, response)
  }
}

function upgradeOf({ reporter }: House, { service, mounted }: Tenant): ListenerOptions['upgrade'] {
  const { upgrade } = mounted
  if (upgrade === undefined) return undefined
  return async (request, response) => {
    try {
      await upgrade(request, response)
    } catch (error) {
      reporter.defect(service.name, error as Error)
      if (response.headersSent || response.statusCode === 101) response.destroy()
      else writeFailure(response, service.renderFailure(error as FastifyError))
    }
  }
}

async function listen(
  house: House,
  door: Pick<ListenerOptions, 'name' | 'port' | 'handler' | 'upgrade' | 'renderFailure'>
): Promise<Listener> {
  const { hosts, metrics, reporter } = house
  const { name } = door
  const { requestTimeoutMs } = house.configuration
  const log = name === CONSOLE ? undefined : reporter.requestLog
  const observer = createObserver(name, metrics, log)
  const listener = await openListener({
    ...door,
    hosts,
    requestTimeoutMs,
    observer
  })
  house.addresses.set(name, httpUrl(reachable(hosts[0] ?? '127.0.0.1'), listener.port))
  return listener
}

async function openConsole(house: House, tenants: readonly Tenant[]): Promise<void> {
  const { configuration, reporter, metrics, loopback, token } = house
  const { consoleFailure, mountConsole } = await import('../console/console.ts')
  const { createApplication } = await import('./application.ts')
  const application = createApplication(consoleFailure, (error) =>
    reporter.defect('console', error)
  )
  mountConsole(application.app, {
    isKnownHost: (host) => isKnownHost(host, configuration.allowedHost),
    token: loopback ? undefined : token,
    metrics: metrics.render,
    folder: house.folder.path,
    tenants: () => tenants.map((tenant) => ({ ...tenant, url: urlOf(house, tenant) })),
    publicUrl: (name) => configuration.publicUrl[name],
    reset: (name) => reset(house, tenants, name)
  })
  await application.app.ready()
  house.closing.push(application.close)
  const port = configuration.port.console ?? configuration.portBase
  const listener = await listen(house, {
    name: CONSOLE,
    port,
    handler: application.handler,
    upgrade: undefined,
    renderFailure: consoleFailure
  })
  house.closing.push(() => listener.drain(DRAIN_DEADLINE_MS))
}

/** Empty until the service listens. */
function urlOf({ addresses }: House, { service }: Tenant): string {
  return addresses.get(service.name) ?? ''
}

async function reset(house: House, tenants: readonly Tenant[], name?: string): Promise<void> {
  for (const { service, database, mounted } of tenants) {
    if (name !== undefined && service.name !== name) continue
    if (database !== undefined) {
      const { emptyDatabase } = await import('../kernel/database/empty.ts')
      await emptyDatabase(database)
    }
    await rm(house.folder.serviceFolder(service.name), { recursive: true, force: true })
    await mounted.reset?.()
  }
}

async function close(house: House): Promise<void> {
  const drained = house.doors.splice(0).map((door) => door.drain(DRAIN_DEADLINE_MS))
  for (const leave of house.leaving.splice(0)) leave()
  await Promise.all(drained)
  for (const undo of house.closing.splice(0).reverse()) await undo()
}

function describe(house: House, tenants: readonly Tenant[]): Host {
  const { addresses, loopback, token } = house
  const consoleUrl = addresses.get(CONSOLE)
  return {
    services: tenants.map((tenant) => ({
      service: tenant.service,
      url: urlOf(house, tenant),
      remark: tenant.mounted.remark,
      lines: () => tenant.mounted.lines?.(urlOf(house, tenant)) ?? []
    })),
    token: loopback ? undefined : token,
    console:
      consoleUrl === undefined
        ? undefined
        : { url: consoleUrl, token: loopback ? undefined : token },
    folder: house.folder.path,
    reset: (name) => reset(house, tenants, name),
    stop: () => close(house),
    exitCode: () => Math.max(0, ...tenants.map(({ mounted }) => mounted.exitCode?.() ?? 0))
  }
}
