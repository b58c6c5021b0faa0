import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startServer } from './server-process.mjs'
import { existing, findOnPath } from './setup.mjs'

/** The folder of the server's programs on this machine, if there is one. */
export async function findPostgres() {
  if (process.env.NONET_POSTGRES_BIN) return existing(process.env.NONET_POSTGRES_BIN)
  const debian = '/usr/lib/postgresql'
  // Debian keeps the server's programs off the path, one folder per version.
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => b - a) : []
  const folders = versions.map((version) => join(debian, version, 'bin'))
  const onPath = findOnPath('initdb')
  if (onPath) folders.push(dirname(onPath))
  return folders.find((folder) => existsSync(join(folder, 'initdb')))
}

/** Gives the variable of the tests, the id of the server's process, and a way to stop it. */
export async function startPostgres(node, binaries) {
  const { printed, stop } = await startServer(node, 'PostgreSQL', 'run-postgres.ts', binaries)
  const [url, processId] = printed.split(' ')
  return { variables: { NONET_POSTGRES: url }, processId, stop }
}
