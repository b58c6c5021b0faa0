import { allServices, findService } from '../host/service-registry.ts'
import type { RemoteTools, Service, Tools } from '../kernel/service.ts'
import { closestMatch } from './closest-match.ts'
import { UsageError } from './command.ts'

export function requireService(name: string | undefined, usage: string): Service {
  if (name === undefined) throw new UsageError(`Missing service name. Usage: ${usage}`)
  const service = findService(name)
  if (service !== undefined) return service
  const meant = closestMatch(
    name,
    allServices.map((known) => known.name)
  )
  throw new UsageError(
    `Unknown service ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`
  )
}

/** A service's implementation of a command; throws if it has none. */
export function toolOf<Verb extends keyof Tools>(
  service: Service,
  verb: Verb
): NonNullable<Tools[Verb]> {
  const tool = service.tools?.[verb]
  if (tool === undefined) throw unsupported(service, verb)
  return tool
}

/** One line that names the services with the command. */
export function unsupported({ name }: Service, verb: keyof Tools | keyof RemoteTools): UsageError {
  const names = allServices
    .filter(({ tools }) => has(tools, verb) || has(tools?.remote, verb))
    .map((service) => service.name)
  const others = names.length === 0 ? 'no service has it' : `services with it: ${names.join(', ')}`
  return new UsageError(`${verb} is not supported for ${name}; ${others}`)
}

function has(tools: object | undefined, verb: string): boolean {
  return tools !== undefined && Object.hasOwn(tools, verb)
}

export function folderArgument(folder: string | undefined, usage: string): string {
  if (folder === undefined) throw new UsageError(`Missing folder. Usage: ${usage}`)
  return folder
}
