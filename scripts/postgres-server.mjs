import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { existing, fail, findOnPath, root } from './setup.mjs'

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

/** It goes when its input ends, so it does not outlive this process, however that ends. */
export async function startPostgres(node, binaries) {
  const script = join(root, 'test', 'support', 'run-postgres.ts')
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', script, binaries], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const gone = once(child, 'exit')
  const [printed] = await Promise.race([once(child.stdout, 'data'), gone.then(() => [''])])
  if (!printed) fail('PostgreSQL does not start; its messages are above.')
  return {
    variables: { NONET_POSTGRES: String(printed).trim() },
    async stop() {
      child.stdin.end()
      await gone
    }
  }
}
