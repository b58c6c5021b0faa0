import { execFile } from 'node:child_process'
import { chownSync, cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { guard } from './guard.ts'
import { freePort } from './ports.ts'
import { idsOf, isRoot } from './unprivileged-user.ts'

const runFile = promisify(execFile)

export interface PostgresServer extends AsyncDisposable {
  url: string
  /** Folder of the data and of the Unix socket. */
  folder: string
  start: () => Promise<void>
  /** `fast` closes connections and shuts down in order, `immediate` is like a crash. */
  stop: (mode?: 'fast' | 'immediate') => Promise<void>
  /** Available while the server runs. */
  processId: () => number
  /** Stops the server and removes its data. */
  close: () => Promise<void>
}

export interface PostgresOptions {
  /** Folder of `initdb` and `pg_ctl`. */
  binaries: string
  /** Off is faster, and sufficient for tests that do not crash the machine. */
  fsync?: boolean
  /** Content of `pg_hba.conf`; without it every user may connect. */
  accessRules?: string
  /** Further settings, such as `max_connections=5`. */
  settings?: readonly string[]
}

/** Creates a stopped server in a temporary folder, on a free port. */
export async function createPostgresServer(options: PostgresOptions): Promise<PostgresServer> {
  const { fsync = false, accessRules, settings: further = [] } = options
  const folder = mkdtempSync(join(tmpdir(), 'nonet-postgres-'))
  const user = isRoot() ? await postgresUser() : undefined
  if (user !== undefined) chownSync(folder, ...idsOf(user))
  const asUser = (command: readonly string[]) =>
    user === undefined ? command : ['runuser', '-u', user, '--', ...command]
  const binaries = await reachableBy(asUser, options.binaries, folder)
  const port = await freePort()
  const data = join(folder, 'data')
  const run = (name: string, ...args: string[]) =>
    execute(asUser([join(binaries, name), ...args]), folder)
  const init = ['-D', data, '-U', 'nonet', '-A', 'trust', '-E', 'UTF8', '--no-sync']
  // The sort order of a language, so that a test fails if nonet relies on byte order by accident.
  const language = ['--locale-provider=icu', '--icu-locale=en-US']
  await run('initdb', ...init, ...language).catch(() => run('initdb', ...init))
  if (accessRules !== undefined) writeFileSync(join(data, 'pg_hba.conf'), accessRules)
  const settings = [
    ...[`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`],
    ...[`fsync=${fsync ? 'on' : 'off'}`, `full_page_writes=${fsync ? 'on' : 'off'}`],
    // Compiling a query takes longer than running it on the few rows of a test.
    ...['max_connections=200', 'jit=off', ...further]
  ]
  const flags = settings.map((setting) => `-c ${setting}`).join(' ')
  const log = join(folder, 'log')
  const stop = async (mode = 'fast') => {
    await run('pg_ctl', '-D', data, '-m', mode, '-w', 'stop')
  }
  const close = guard(
    folder,
    asUser([join(binaries, 'pg_ctl'), '-D', data, '-m', 'immediate', 'stop'])
  )
  return {
    url: `postgres://nonet@127.0.0.1:${port}/postgres`,
    folder,
    start: async () => {
      await run('pg_ctl', '-D', data, '-l', log, '-o', flags, '-w', 'start')
    },
    stop,
    processId: () => Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10),
    close,
    [Symbol.asyncDispose]: close
  }
}

/** The server does not run as root. Its Debian package creates a user, others do not. */
async function postgresUser(): Promise<string> {
  return execute(['id', 'postgres'], '/').then(
    () => 'postgres',
    () => 'nobody'
  )
}

/** Copies the binaries if the checkout is in a folder that only root can read. */
async function reachableBy(
  asUser: (command: readonly string[]) => readonly string[],
  binaries: string,
  folder: string
): Promise<string> {
  const probe = asUser([join(binaries, 'initdb'), '--version'])
  const works = await execute(probe, folder).then(
    () => true,
    () => false
  )
  if (works) return binaries
  const copy = join(folder, 'server')
  cpSync(dirname(binaries), copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}

async function execute(command: readonly string[], cwd: string): Promise<string> {
  const [program = '', ...args] = command
  const { PATH = '' } = process.env
  const env = { PATH, HOME: cwd, USER: userInfo().username, LC_ALL: 'C.UTF-8' }
  return (await runFile(program, args, { cwd, env })).stdout
}
