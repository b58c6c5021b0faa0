/** In the order of the specification. This file does not load the services themselves. */
export const SERVICE_NAMES = [
  'reference',
  'boxes',
  'countries',
  'scenarios',
  'forms',
  'mailbox',
  'statuses',
  'mock',
  'cards'
] as const

export type ServiceName = (typeof SERVICE_NAMES)[number]

export function isServiceName(name: string): name is ServiceName {
  return (SERVICE_NAMES as readonly string[]).includes(name)
}
