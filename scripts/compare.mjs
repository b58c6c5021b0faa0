import { endWithParent } from '../bin/parent.mjs'
import { findPostgres, startPostgres } from './postgres-server.mjs'
import { fail, findNode24, findPackagedPostgres, installDependencies, root, run } from './setup.mjs'

endWithParent()
const [node] = await Promise.all([
  findNode24(),
  installDependencies({ label: 'development dependencies', dev: true })
])
const args = process.argv.slice(2)
const postgres = args.join(' ').match(/--engine[ =]sqlite/) ? undefined : await openPostgres()
const env = { ...process.env, ...postgres?.variables }
const { code } = await run(node, ['scripts/compare/main.mjs', ...args], { cwd: root, env })
await postgres?.stop()
process.exitCode = code

async function openPostgres() {
  const binaries = (await findPostgres()) ?? (await findPackagedPostgres())
  return startPostgres(
    node,
    binaries ?? fail('The comparison needs PostgreSQL, or --engine sqlite.')
  )
}
