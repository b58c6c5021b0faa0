import { existsSync, readFileSync } from 'node:fs'
import type { Contender } from './contender.ts'
import type { StorageLocation } from './storage.ts'

const NANOSECONDS_PER_MS = 1e6
const TICKS_PER_SECOND = 100

/** CPU milliseconds of the children of a server, those that have ended included. */
export function childrenMs(serverPid: number): number {
  const running = readOfChildren(serverPid, 'schedstat').map((text) => {
    const [nanoseconds] = text.split(' ')
    return Number(nanoseconds) / NANOSECONDS_PER_MS
  })
  // The fields after the name of the program, which is in brackets.
  const fields = readFileSync(`/proc/${serverPid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const ended = (Number(fields[13]) + Number(fields[14])) * (1000 / TICKS_PER_SECOND)
  return running.reduce((sum, ms) => sum + ms, ended)
}

/** A file of `/proc` of each child; a child may end meanwhile. */
export function readOfChildren(serverPid: number, name: string): string[] {
  const children = readFileSync(`/proc/${serverPid}/task/${serverPid}/children`, 'utf8')
  return children
    .trim()
    .split(' ')
    .map((pid) => `/proc/${pid}/${name}`)
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
}

/** CPU milliseconds of the process and of its PostgreSQL server. */
export async function cpuMs(nonet: Contender, { serverPid }: StorageLocation): Promise<number> {
  const { cpuMicroseconds } = await nonet.usage()
  return cpuMicroseconds / 1000 + (serverPid === undefined ? 0 : childrenMs(serverPid))
}
