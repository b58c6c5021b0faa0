import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { StartFailure } from '../kernel/failures.ts'
import type { Configuration } from './configuration.ts'

const RUNNING_FILE = 'running.json'

/** How another process reaches the nonet that uses a data folder. */
export interface Running {
  pid: number
  console: string | undefined
  token: string
}

export interface DataFolder {
  path: string
  serviceFolder: (name: string) => string
  announce: (running: Running) => Promise<void>
  close: () => Promise<void>
}

export async function openDataFolder(
  configuration: Pick<Configuration, 'data' | 'ephemeral'>
): Promise<DataFolder> {
  const { ephemeral } = configuration
  const path = ephemeral
    ? await mkdtemp(join(tmpdir(), 'nonet-'))
    : await prepare(resolve(configuration.data))
  const runningFile = join(path, RUNNING_FILE)
  return {
    path,
    serviceFolder: (name) => join(path, name),
    async announce(running) {
      // The token opens the console, so nobody else on the machine may read it.
      await writeFile(runningFile, `${JSON.stringify(running)}\n`, { mode: 0o600 })
      await chmod(runningFile, 0o600)
    },
    close: () => rm(ephemeral ? path : runningFile, { recursive: ephemeral, force: true })
  }
}

async function prepare(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true })
    const ignore = join(path, '.gitignore')
    if (!existsSync(ignore)) await writeFile(ignore, '*\n')
    return path
  } catch (cause) {
    const reason = (cause as Error).message
    throw new StartFailure(`Cannot use the data folder: ${reason}; choose another with --data`, {
      cause
    })
  }
}

/** The live nonet on this folder, if there is one; a file left by a kill does not count. */
export async function findRunning(path: string): Promise<Running | undefined> {
  const file = join(resolve(path), RUNNING_FILE)
  if (!existsSync(file)) return undefined
  const running: Running = JSON.parse(await readFile(file, 'utf8'))
  return isAlive(running.pid) ? running : undefined
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
