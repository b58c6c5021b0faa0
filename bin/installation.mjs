import { existsSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of the clone or of the installed package. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** A clone runs its sources; a package has compiled code, because Node strips no types there. */
export function isClone() {
  return existsSync(join(root, 'src', 'main.ts')) && !root.split(sep).includes('node_modules')
}

/** Whether this version of Node runs compiled code; sources need Node 24. */
export function isSupportedNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 18)
}

export const OLD_NODE_MESSAGE = `nonet needs Node 22.18 or newer; this is Node ${process.versions.node}.`
