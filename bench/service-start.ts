import type { StartCase } from './cases.ts'
import { OWN_CHECKOUT } from './contender.ts'
import { median } from './load.ts'
import { startArgs, startCase, startCpu, startPlain } from './start.ts'
import { type Bar, markdownTable } from './table.ts'

const STARTS = 11

/**
 * Starts with and without the service, which is not called. `other` is a service that uses the same
 * parts of the kernel, which the service then does not pay for.
 */
export function serviceStartCases(service: string, other: string): StartCase[] {
  return [startCase('start, not enabled', [other]), startCase('start, enabled', [other, service])]
}

async function startMegabytes(services: readonly string[]): Promise<number> {
  const { residentMegabytes, stop } = await startPlain(startArgs(services))
  const megabytes = residentMegabytes()
  await stop()
  return megabytes
}

/** Starts with and without the service in turn; it is not called. */
export async function benchServiceStart(
  service: string,
  other: string,
  limits: { cpuMs: number; megabytes: number }
): Promise<{ text: string; bars: readonly Bar[] }> {
  const kinds = [[other], [other, service]].map((services) => ({
    services,
    cpuMs: [] as number[],
    megabytes: [] as number[]
  }))
  for (let start = 0; start <= STARTS; start++) {
    for (const { services, cpuMs, megabytes } of kinds) {
      const cpu = (await startCpu(OWN_CHECKOUT, services)) / 1000
      const resident = await startMegabytes(services)
      // The first start fills the disk cache and the cache of compiled code.
      if (start === 0) continue
      cpuMs.push(cpu)
      megabytes.push(resident)
    }
  }
  const rows = kinds.map(({ services, cpuMs, megabytes }) => [
    services.join(' and '),
    `${median(cpuMs).toFixed(0)} ms`,
    `${median(megabytes).toFixed(1)} MB`
  ])
  // Of neighbouring starts: the load of the machine changes during the run.
  const differenceOf = (key: 'cpuMs' | 'megabytes') => {
    const [without = [], enabled = []] = kinds.map((kind) => kind[key])
    return median(enabled.map((value, start) => value - (without[start] ?? Number.NaN)))
  }
  return {
    text: `### start, the service is not called

${markdownTable(['', 'CPU until ready', 'resident when ready'], rows)}

Medians of ${STARTS} starts in turn, with the console; the bars are medians of the differences of neighbours.`,
    bars: [
      {
        what: 'start with the service, more CPU ms',
        value: differenceOf('cpuMs'),
        atMost: limits.cpuMs
      },
      {
        what: 'start with the service, more MB',
        value: differenceOf('megabytes'),
        atMost: limits.megabytes
      }
    ]
  }
}
