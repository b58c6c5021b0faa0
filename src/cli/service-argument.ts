import { catalogue, findService } from '../host/catalogue.ts'
import type { Service, Tools } from '../kernel/service.ts'
import { UsageFailure } from './command.ts'
import { nearest } from './nearest.ts'

export function serviceNamed(name: string | undefined, usage: string): Service {
  if (name === undefined) throw new UsageFailure(`Missing service name. Usage: ${usage}`)
  const service = findService(name)
  if (service !== undefined) return service
  const meant = nearest(
    name,
    catalogue.map((known) => known.name)
  )
  throw new UsageFailure(
    `Unknown service ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`
  )
}

/** A service's own implementation of a verb, or a sentence that it has none. */
export function toolOf<Verb extends keyof Tools>(
  service: Service,
  verb: Verb
): NonNullable<Tools[Verb]> {
  const tool = service.tools?.[verb]
  if (tool === undefined) throw new UsageFailure(`${verb} is not supported for ${service.name}`)
  return tool
}

export function folderArgument(folder: string | undefined, usage: string): string {
  if (folder === undefined) throw new UsageFailure(`Missing folder. Usage: ${usage}`)
  return folder
}
