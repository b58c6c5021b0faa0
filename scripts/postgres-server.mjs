import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startServer } from './server-process.mjs'
import { existing, findOnPath } from './setup.mjs'

/** The folder of PostgreSQL's programs; undefined if it is not installed. */
export async function findPostgres() {
  if (process.env.NONET_POSTGRES_BIN) return existing(process.env.NONET_POSTGRES_BIN)
  const debian = '/usr/lib/postgresql'
  // On Debian the server's programs are not on the path, but in one folder per version.
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => b - a) : []
  const folders = versions.map((version) => join(debian, version, 'bin'))
  const onPath = findOnPath('initdb')
  if (onPath) folders.push(dirname(onPath))
  return folders.find((folder) => existsSync(join(folder, 'initdb')))
}

/** Returns the variables for the tests, the server's process id and a function to stop it. */
export async function startPostgres(node, binaries) {
  const { printed, stop } = await startServer(node, 'PostgreSQL', 'run-postgres.ts', binaries)
  const [url, processId] = printed.split(' ')
  return { variables: { NONET_POSTGRES: url }, processId, stop }
}
