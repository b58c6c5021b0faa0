import { join } from 'node:path'
import { findNode24, installHouse, root, run } from './setup.mjs'

const [node] = await Promise.all([
  findNode24(),
  installHouse({ label: 'development dependencies', dev: true })
])
const { code } = await run(node, [join(root, 'scripts', 'countries', 'write.mjs')])
process.exitCode = code
