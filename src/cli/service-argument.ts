import { catalogue, findService } from '../host/catalogue.ts'
import type { Service, Tools } from '../kernel/service.ts'
import { UsageFailure } from './command.ts'
import { nearest } from './nearest.ts'

export function serviceNamed(name: string | undefined, usage: string): Service {
  if (name === undefined) throw new UsageFailure(`which service? Usage: ${usage}`)
  const service = findService(name)
  if (service !== undefined) return service
  const meant = nearest(
    name,
    catalogue.map((known) => known.name)
  )
  throw new UsageFailure(
    `no service ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`
  )
}

/** A service's own implementation of a verb, or a sentence that it has none. */
export function toolOf<Verb extends keyof Tools>(
  service: Service,
  verb: Verb
): NonNullable<Tools[Verb]> {
  const tool = service.tools?.[verb]
  if (tool === undefined) throw new UsageFailure(`${service.name} has nothing to ${verb}`)
  return tool
}

export function folderArgument(folder: string | undefined, usage: string): string {
  if (folder === undefined) throw new UsageFailure(`which folder? Usage: ${usage}`)
  return folder
}
