import createError from '@fastify/error'
import type { ConsoleOptions } from './console-options.ts'
import type { ConsoleService } from './mounted-service.ts'

export const ServiceUnknown = createError<[string]>(
  'SERVICE_UNKNOWN',
  'Service %s is not running',
  404
)

export function findRunning({ services }: ConsoleOptions, name: string): ConsoleService {
  const found = services().find(({ service }) => service.name === name)
  if (found === undefined) throw new ServiceUnknown(name)
  return found
}
