/**
 * Loaded into the process of each test file: notes its CPU time and its time for the report, and ends
 * it with a message if it is kept alive after its last test, for example by a server that a failed
 * test left running. The time limit of the runner is for tests and does not end it.
 */
import { appendFileSync } from 'node:fs'
import { after } from 'node:test'
import { cpuSecondsOf } from './cpu-seconds.mjs'

const GRACE_MS = 30_000

// The runner itself loads this file too, and has no tests.
if (process.env.NODE_TEST_CONTEXT) {
  after(watch)
  process.on('exit', noteTimes)
}

function watch() {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ')
    console.error(`${process.argv[1]}: still running ${GRACE_MS / 1000} s after its tests: ${open}`)
    process.exit(1)
  }, GRACE_MS).unref()
}

function noteTimes() {
  const file = process.env.NONET_TEST_TIMES
  const cpu = cpuSecondsOf('self')
  if (!file || cpu === undefined) return
  appendFileSync(file, `${cpu} ${Math.round(process.uptime())} ${process.argv[1]}\n`)
}
