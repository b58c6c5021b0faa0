#!/usr/bin/env node
import { executionAsyncResource } from 'node:async_hooks'
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isClone, isSupportedNode, OLD_NODE_MESSAGE, root } from './installation.mjs'
import { endWithParent, LAUNCHER_VARIABLE } from './parent.mjs'

const launcher = fileURLToPath(import.meta.url)
/** See `keepTickShape`. */
let _keptTick

endWithParent()
if (isClone()) await runClone()
else await runPackage()

async function runClone() {
  const { findNode24, installDependencies, run } = await import('../scripts/setup.mjs')
  const [node] = await Promise.all([findNode24(), installDependencies({ label: 'dependencies' })])
  const [first, ...rest] = process.argv.slice(2)
  if (first === '--watch') {
    process.exit((await run(node, ['--watch', '--watch-preserve-output', launcher, ...rest])).code)
  }
  if (node === process.execPath) {
    await import('./source-modules.mjs')
    return runHere('src/main.ts')
  }
  const env = { ...process.env, [LAUNCHER_VARIABLE]: String(process.pid) }
  process.exit((await run(node, [launcher, ...process.argv.slice(2)], { env })).code)
}

async function runPackage() {
  if (!isSupportedNode()) {
    console.error(OLD_NODE_MESSAGE)
    process.exit(1)
  }
  await runHere('dist/main.js')
}

async function runHere(entry) {
  hideExperimentalWarnings()
  keepTickShape()
  leaveOutHttpClient()
  module.enableCompileCache?.()
  await import(pathToFileURL(join(root, entry)).href)
}

/**
 * Keeps an object that `process.nextTick` creates. If a garbage collection during the start finds
 * none, V8 forgets their shape and creates all later ones by a call into its runtime, several for
 * each request: a prepared response then takes 15 % more CPU.
 */
function keepTickShape() {
  process.nextTick(() => {
    _keptTick = executionAsyncResource()
  })
}

/**
 * An import of `node:http` reads all its exports, and the getters of these three load a whole HTTP
 * client, which takes a tenth of the CPU of a start. They remain as properties of the module.
 */
function leaveOutHttpClient() {
  const http = process.getBuiltinModule('node:http')
  for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) {
    const getter = Object.getOwnPropertyDescriptor(http, name)
    if (getter?.configurable) Object.defineProperty(http, name, { ...getter, enumerable: false })
  }
}

// SQLite and type stripping are experimental in some supported versions of Node.
function hideExperimentalWarnings() {
  const { emitWarning } = process
  process.emitWarning = (warning, ...rest) => {
    const type = rest[0]?.type ?? rest[0]
    if (type !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest)
  }
}
