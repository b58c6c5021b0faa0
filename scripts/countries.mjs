import { join } from 'node:path'
import { findNode24, installDependencies, root, run } from './setup.mjs'

const [node] = await Promise.all([
  findNode24(),
  installDependencies({ label: 'development dependencies', dev: true })
])
const { code } = await run(node, [join(root, 'scripts', 'countries', 'write.mjs')])
process.exitCode = code
