import { join } from 'node:path'
import { endWithParent } from '../bin/parent.mjs'
import { findChromium } from './find-chromium.mjs'
import { startServer } from './server-process.mjs'
import { fail, findNode24, installDependencies, root, run } from './setup.mjs'

endWithParent()
const [node] = await Promise.all([
  findNode24(),
  installDependencies({ label: 'development dependencies', dev: true })
])
const path = await findChromium()
if (!path) fail('Install Chrome or Chromium, or set NONET_CHROMIUM to the path of one.')
const { printed, stop } = await startServer(node, 'Chromium', 'run-chromium.ts', path)
const { code } = await run(
  node,
  [
    '--disable-warning=ExperimentalWarning',
    join(root, 'scripts', 'pictures', 'main.ts'),
    ...process.argv.slice(2)
  ],
  { cwd: root, env: { ...process.env, NONET_CHROMIUM_SERVER: printed } }
)
await stop()
process.exitCode = code
