import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { LAUNCHER } from './launcher.ts'

/** Starts nonet with a limit of descriptors, for `LaunchOptions.launcher`. */
export function withDescriptors(limit: number): readonly [string, ...string[]] {
  return ['sh', '-c', `ulimit -n ${limit}; exec "$0" "$@"`, process.execPath, LAUNCHER]
}

export function countDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

/** Options of Node for a small heap: garbage is collected early and does not count as growth. */
export function limitedHeap(oldSpaceMegabytes: number): string {
  return `--max-semi-space-size=8 --max-old-space-size=${oldSpaceMegabytes}`
}

/** Resident memory now and at its highest, in megabytes. */
export function residentMegabytes(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
  return { now: read('VmRSS'), peak: read('VmHWM') }
}

/** Sends a request from a local address and stays connected; `text` is what has arrived. */
export function openRaw(url: string, request: string, localAddress = '127.0.0.1') {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, localAddress })
  const opened = { socket, text: '', isClosed: false }
  socket.on('error', () => undefined)
  socket.once('close', () => {
    opened.isClosed = true
  })
  socket.on('data', (chunk) => {
    opened.text += chunk.toString('latin1')
  })
  socket.write(request)
  return opened
}
