/**
 * Makes the data in `test/release/` with a released version of nonet:
 *
 *     git worktree add --detach ../released <commit>
 *     node scripts/release-data.mjs ../released
 *     git worktree remove ../released
 *
 * A second argument is another folder to write to. `test/release/README.md` tells what is written.
 */
import { endWithParent } from '../bin/parent.mjs'
import { findPostgres, startPostgres } from './postgres-server.mjs'
import { fail, findNode24, findPackagedPostgres, installDependencies, root, run } from './setup.mjs'

endWithParent()
const args = process.argv.slice(2)
if (args.length === 0) fail('Usage: node scripts/release-data.mjs <clone of the release> [folder]')
const [node] = await Promise.all([
  findNode24(),
  installDependencies({ label: 'development dependencies', dev: true })
])
const binaries = (await findPostgres()) ?? (await findPackagedPostgres())
const postgres = await startPostgres(node, binaries ?? fail('The script needs PostgreSQL.'))
const env = { ...process.env, ...postgres.variables }
const main = ['--disable-warning=ExperimentalWarning', 'scripts/release-data/main.mjs']
const { code } = await run(node, [...main, ...args], { cwd: root, env })
await postgres.stop()
process.exitCode = code
