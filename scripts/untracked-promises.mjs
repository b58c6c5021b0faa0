/**
 * Loaded into the process of each test file, before its tests: the test runner follows every promise
 * to find the test of an error that no test catches, which takes an eighth of the CPU of a contract
 * test. Without it such an error of a promise fails the file instead of the test.
 */
import hooks from 'node:async_hooks'

const { createHook } = hooks
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
await import('node:test')
hooks.createHook = createHook
