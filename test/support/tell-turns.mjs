// Preloaded into a nonet process: on SIGUSR2 writes the longest turn of the event loop since the
// last signal to a file, in milliseconds. A turn counts with the CPU time of the thread, so that
// a busy machine does not make it longer.

import { writeFileSync } from 'node:fs'

const INTERVAL_MS = 5
let longest = 0
let began = performance.now()
let used = cpuMilliseconds()

function cpuMilliseconds() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

setInterval(() => {
  const now = performance.now()
  const cpu = cpuMilliseconds()
  longest = Math.max(longest, Math.min(now - began - INTERVAL_MS, cpu - used))
  began = now
  used = cpu
}, INTERVAL_MS).unref()

process.on('SIGUSR2', () => {
  writeFileSync(process.env.TELL_TURNS_TO ?? '', `${longest.toFixed(1)}\n`)
  longest = 0
})
