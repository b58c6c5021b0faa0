import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isClone, isSupportedNode, OLD_NODE_MESSAGE, root } from '../bin/installation.mjs'

/**
 * Loads a source file in a clone, a compiled file in a package. `require` is used because a module
 * that awaits an import could not be loaded with `require` itself.
 */
export function load(path) {
  if (!isSupportedNode()) throw new Error(OLD_NODE_MESSAGE)
  const file = isClone() ? join(root, 'src', `${path}.ts`) : join(root, 'dist', `${path}.js`)
  try {
    return createRequire(import.meta.url)(file)
  } catch (error) {
    const problem = problemOf(file)
    throw problem === undefined ? error : new Error(problem, { cause: error })
  }
}

function problemOf(file) {
  if (!existsSync(file)) {
    return `nonet in ${root} is not compiled: install the tarball that npm pack makes in a clone.`
  }
  if (isClone() && !existsSync(join(root, 'node_modules', 'fastify'))) {
    return `The clone of nonet in ${root} has no dependencies yet: run npm start there once.`
  }
  if (isClone() && Number.parseInt(process.versions.node, 10) < 24) {
    return (
      `The sources of nonet in ${root} need Node 24 or newer, this is Node ` +
      `${process.versions.node}: use a newer one, or install the tarball that npm pack makes there.`
    )
  }
  return undefined
}
