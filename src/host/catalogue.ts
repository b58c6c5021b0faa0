import type { Service } from '../kernel/service.ts'
import { boxes } from '../services/boxes/index.ts'
import { countries } from '../services/countries/index.ts'
import { forms } from '../services/forms/index.ts'
import { mock } from '../services/mock/index.ts'
import { reference } from '../services/reference/index.ts'
import { scenarios } from '../services/scenarios/index.ts'

const byName = { reference, boxes, countries, scenarios, forms, mock }

export type ServiceName = keyof typeof byName

/** The services in the order of the specification. */
export const catalogue: readonly Service[] = Object.values(byName)

/** Distance from the base port: the number in the service's label. */
export function portOffset(service: Service): number {
  return Number(service.label.slice('I-'.length))
}

export function findService(name: string): Service | undefined {
  return catalogue.find((service) => service.name === name)
}
