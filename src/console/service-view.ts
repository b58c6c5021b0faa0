import type { FastifyRequest } from 'fastify'
import { serviceUrlFor } from '../kernel/base-url.ts'
import type { ExampleRequest, Mounted } from '../kernel/service.ts'
import type { ConsoleOptions } from './console-options.ts'
import type { ConsolePort, ConsoleService } from './mounted-service.ts'
import type { Activity, ProcessFacts } from './process-facts.ts'

export type ServiceState = 'running' | 'starting' | 'not ready'

/** A service from the point of view of the reader of a page. */
export interface ServiceView {
  name: string
  /** Offset of its usual port from the console's. */
  offset: number
  summary: string
  compatibleWith: string
  /** Empty until the service listens. */
  url: string
  /** Ports that are not for HTTP, as this machine reaches them. */
  ports: readonly ConsolePort[]
  /** Its page for people; undefined if the reader cannot reach one. */
  page: string | undefined
  /** More pages of the console; its page for people on the console links to them itself. */
  links: NonNullable<Mounted['consoleLinks']>
  example: ExampleRequest
  schema: string | undefined
}

export interface ServiceStatus {
  state: ServiceState
  /** Why it is not ready. */
  reason: string | undefined
  activity: Activity
}

/** The services in the order of the tiles of the mark, which is that of their ports. */
export function serviceViews(request: FastifyRequest, options: ConsoleOptions): ServiceView[] {
  return options
    .services()
    .map((running) => viewOf(request, running, options))
    .sort((first, second) => first.offset - second.offset)
}

export function viewOf(
  request: FastifyRequest,
  running: ConsoleService,
  options: ConsoleOptions
): ServiceView {
  const { service, mounted, ports } = running
  const { name, label, summary, compatibleWith, schemaPath } = service
  const url = urlFor(request, running, options)
  const { services } = options.frame(request.raw)
  return {
    name,
    offset: Number(label.slice('I-'.length)),
    summary,
    compatibleWith,
    url,
    ports,
    page: services.find((linked) => linked.name === name)?.href,
    links: (service.pagePath && mounted.consoleLinks) || [],
    example: mounted.example?.() ?? service.example,
    schema: schemaPath && url + schemaPath
  }
}

/** The public URL set by the operator, else the service's URL with the host of the request. */
export function urlFor(
  request: FastifyRequest,
  { service, url }: ConsoleService,
  options: ConsoleOptions
): string {
  const told = options.publicUrl(service.name)
  if (told !== undefined) return told.replace(/\/+$/, '')
  return url === '' ? '' : serviceUrlFor(request, url)
}

interface StatusSources {
  services: () => readonly { service: { name: string }; url: string }[]
  facts: Pick<ProcessFacts, 'problems' | 'activityOf'>
}

/** A service without a URL does not listen yet. */
export async function serviceStatuses({
  services,
  facts
}: StatusSources): Promise<ReadonlyMap<string, ServiceStatus>> {
  const problems = await facts.problems()
  return new Map(
    services().map(({ service: { name }, url }) => {
      const reason = problems.get(name)
      const settled = reason === undefined ? 'running' : 'not ready'
      const state = url === '' ? 'starting' : settled
      return [name, { state, reason, activity: facts.activityOf(name) }]
    })
  )
}
