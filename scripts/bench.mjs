import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { endWithParent } from '../bin/parent.mjs'
import { findNode24, install, root, run } from './setup.mjs'

const folder = join(root, 'bench')

endWithParent()
const node = await findNode24()
await install(root, { label: 'dependencies' })
if (existsSync(join(folder, 'package.json'))) {
  await install(folder, { label: 'what the benchmarks compare with', dev: true })
}
const { code } = await run(node, [join(folder, 'run.ts'), ...process.argv.slice(2)], { cwd: root })
process.exitCode = code
