import { type BaseUrl, createBaseUrl } from '../kernel/base-url.ts'
import { createClientIp } from '../kernel/client-ip.ts'
import type { HeldRequests } from '../kernel/held-requests.ts'
import type { Outbound } from '../kernel/outbound.ts'
import type { Kernel, Service } from '../kernel/service.ts'
import type { Access } from './access.ts'
import { lanUrlsOf } from './addresses.ts'
import type { DataFolder } from './data-folder.ts'
import { errorPagesOf } from './error-pages.ts'
import { knownHosts } from './exposure.ts'
import type { ExtraPorts } from './extra-ports.ts'
import type { Stored } from './open-stored.ts'
import { CONSOLE, type FrameContext, frameFor } from './page-frame.ts'
import type { Reporter } from './reporter.ts'
import { VERSION } from './version.ts'

/** The state of the host that a service can use. */
export interface KernelContext extends FrameContext {
  reporter: Reporter
  folder: Pick<DataFolder, 'serviceFolder'>
  outbound: Outbound
  access: Access
  token: string
  held: HeldRequests
  extraPorts: ExtraPorts
}

/** What the host provides to a service. */
export function createKernel(
  context: KernelContext,
  service: Service,
  { database, files, credentials, secrets, outbox }: Stored
): Kernel {
  const { name } = service
  const { configuration, reporter, folder, outbound, access, token, extraPorts } = context
  const baseUrl = createBaseUrlOf(context, name)
  const frame = (base: string) => frameFor(context, name, base)
  return {
    ...access,
    outbound,
    folder: folder.serviceFolder(name),
    hasDatabase: database !== undefined,
    get database() {
      if (database === undefined) throw new Error(`${name} has no tables`)
      return database
    },
    get files() {
      if (files === undefined) throw new Error(`${name} has no files`)
      return files.files
    },
    get credentials() {
      if (credentials === undefined) throw new Error(`${name} has no tokens`)
      return credentials
    },
    get secrets() {
      if (secrets === undefined) throw new Error(`${name} has no secrets`)
      return secrets.secrets
    },
    get outbox() {
      if (outbox === undefined) throw new Error(`${name} has no outbox`)
      return outbox.outbox
    },
    baseUrl,
    clientIp: createClientIp(configuration.trustedProxy),
    held: context.held,
    version: VERSION,
    localUrl: () => context.urls.get(name) ?? '',
    lanUrls: () => (configuration.lan ? lanUrlsOf(context.urls.get(name)) : []),
    listen: (port, handler) => extraPorts.register(service, port, handler),
    listenerAddress: (port) => extraPorts.addressOf(service, port),
    warn: (text) => reporter.warn(`${name}: ${text}`),
    inform: (text) => (reporter.inform ?? reporter.warn)(`${name}: ${text}`),
    frame,
    presentError: errorPagesOf(service, baseUrl, frame),
    consoleEndpoint: configuration.console
      ? () => ({
          url: `${context.urls.get(CONSOLE)}/${name}`,
          headers: { authorization: `Bearer ${token}` }
        })
      : undefined
  }
}

export function createBaseUrlOf(
  { configuration }: Pick<KernelContext, 'configuration'>,
  name: string
): BaseUrl {
  return createBaseUrl({
    publicUrl: configuration.publicUrl[name],
    trustedProxies: configuration.trustedProxy,
    allowedHosts: knownHosts(configuration)
  })
}
