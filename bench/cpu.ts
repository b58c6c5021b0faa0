import { readFileSync } from 'node:fs'
import type { Contender } from './contender.ts'
import type { StorageLocation } from './storage.ts'

const NANOSECONDS_PER_MS = 1e6
const TICKS_PER_SECOND = 100

/** CPU milliseconds of the children of the PostgreSQL server, those that have ended included. */
function postgresMs(serverPid: number): number {
  const children = readFileSync(`/proc/${serverPid}/task/${serverPid}/children`, 'utf8')
  const running = children
    .trim()
    .split(' ')
    .map((pid) => {
      const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
      return Number(nanoseconds) / NANOSECONDS_PER_MS
    })
  // The fields after the name of the program, which is in brackets.
  const fields = readFileSync(`/proc/${serverPid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const ended = (Number(fields[13]) + Number(fields[14])) * (1000 / TICKS_PER_SECOND)
  return running.reduce((sum, ms) => sum + ms, ended)
}

/** CPU milliseconds of the process and of its PostgreSQL server. */
export async function cpuMs(nonet: Contender, { serverPid }: StorageLocation): Promise<number> {
  const { cpuMicroseconds } = await nonet.usage()
  return cpuMicroseconds / 1000 + (serverPid === undefined ? 0 : postgresMs(serverPid))
}
