import { endWithParent } from '../bin/parent.mjs'
import { findNode24, install, root, run } from './setup.mjs'

endWithParent()
const node = await findNode24()
await install(root, { label: 'development dependencies', dev: true })
const { code } = await run(node, ['scripts/mutants.mjs', ...process.argv.slice(2)], { cwd: root })
process.exitCode = code
