import type { Service } from '../kernel/service.ts'
import { boxes } from '../services/boxes/index.ts'
import { cards } from '../services/cards/index.ts'
import { countries } from '../services/countries/index.ts'
import { forms } from '../services/forms/index.ts'
import { mailbox } from '../services/mailbox/index.ts'
import { mock } from '../services/mock/index.ts'
import { reference } from '../services/reference/index.ts'
import { scenarios } from '../services/scenarios/index.ts'
import { statuses } from '../services/statuses/index.ts'
import { SERVICE_NAMES, type ServiceName } from './service-names.ts'

const byName: Readonly<Record<ServiceName, Service>> = {
  reference,
  boxes,
  countries,
  scenarios,
  forms,
  mailbox,
  statuses,
  mock,
  cards
}

/** The services in the order of the specification. */
export const allServices: readonly Service[] = SERVICE_NAMES.map((name) => byName[name])

export function findService(name: string): Service | undefined {
  return allServices.find((service) => service.name === name)
}
