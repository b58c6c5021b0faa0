import { allServices, findService } from '../host/service-registry.ts'
import type { Service, Tools } from '../kernel/service.ts'
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
  if (tool === undefined) throw new UsageError(`${verb} is not supported for ${service.name}`)
  return tool
}

export function folderArgument(folder: string | undefined, usage: string): string {
  if (folder === undefined) throw new UsageError(`Missing folder. Usage: ${usage}`)
  return folder
}
