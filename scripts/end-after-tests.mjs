/**
 * Loaded into the process of each test file. A process that is kept alive after its last test, for
 * example by a server that a failed test left running, is ended with a message; the time limit of
 * the runner is for tests and does not end it.
 */
import { after } from 'node:test'

const GRACE_MS = 30_000

// The runner itself loads this file too, and has no tests.
if (process.env.NODE_TEST_CONTEXT) after(watch)

function watch() {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ')
    console.error(`${process.argv[1]}: still running ${GRACE_MS / 1000} s after its tests: ${open}`)
    process.exit(1)
  }, GRACE_MS).unref()
}
