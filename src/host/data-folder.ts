import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { UserError } from '../kernel/errors.ts'
import type { Configuration } from './configuration-reader.ts'

const RUNNING_FILE = 'running.json'
/** nonet deletes only in folders that contain this file. */
const MARKER_FILE = '.nonet-data'

/** How other processes reach the nonet process that uses a data folder. */
export interface RunningInstance {
  pid: number
  console: string | undefined
  token: string
  /** URL of its PostgreSQL database; undefined if its tables are in the folder. */
  database: string | undefined
}

export interface DataFolder {
  path: string
  serviceFolder: (name: string) => string
  writeRunFile: (running: RunningInstance) => Promise<void>
  close: () => Promise<void>
}

export async function openDataFolder(
  configuration: Pick<Configuration, 'data' | 'ephemeral'>
): Promise<DataFolder> {
  const { ephemeral } = configuration
  const path = ephemeral
    ? makeTemporaryFolder()
    : await prepareDataFolder(resolve(configuration.data))
  const runningFile = join(path, RUNNING_FILE)
  let announced = false
  return {
    path,
    serviceFolder: (name) => join(path, name),
    async writeRunFile(running) {
      // Mode 0600, because the file contains the token of the console.
      await explained(path, async () => {
        await writeFile(runningFile, `${JSON.stringify(running)}\n`, { mode: 0o600 })
        await chmod(runningFile, 0o600)
      })
      announced = true
    },
    async close() {
      if (ephemeral) {
        await rm(path, { recursive: true, force: true })
        temporaryFolders.delete(path)
      }
      // Removed only if it names this process: another process may have replaced it.
      else if (announced && (await findRunningInstance(path))?.pid === process.pid)
        await rm(runningFile, { force: true })
    }
  }
}

const temporaryFolders = new Set<string>()

/** The folder is removed on exit, also if a second signal ends the process at once. */
function makeTemporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'nonet-'))
  if (!process.listeners('exit').includes(removeTemporaryFolders)) {
    process.once('exit', removeTemporaryFolders)
  }
  temporaryFolders.add(path)
  return path
}

/** One listener for all folders, because a test may start many instances. */
function removeTemporaryFolders(): void {
  for (const path of temporaryFolders) rmSync(path, { recursive: true, force: true })
}

/** Creates the folder if needed, with a marker file and a `.gitignore` that excludes it. */
export async function prepareDataFolder(path: string): Promise<string> {
  return explained(path, async () => {
    await mkdir(path, { recursive: true })
    for (const [name, text] of Object.entries({ '.gitignore': '*\n', [MARKER_FILE]: '' })) {
      const file = join(path, name)
      if (!existsSync(file)) await writeFile(file, text)
    }
    return path
  })
}

async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const reason = (cause as Error).message
    const text = `Cannot use the data folder ${path}: ${reason}; choose another with --data`
    throw new UserError(text, { cause })
  }
}

/** Throws if the folder exists but was not created by nonet, so that nothing in it is deleted. */
export function checkOwnDataFolder(path: string): void {
  if (existsSync(path) && !existsSync(join(path, MARKER_FILE))) {
    throw new UserError(`${path} is not a nonet data folder; set one with --data`)
  }
}

/** Undefined if no live nonet process uses the folder; the file of a killed one is ignored. */
export async function findRunningInstance(path: string): Promise<RunningInstance | undefined> {
  const file = join(resolve(path), RUNNING_FILE)
  if (!existsSync(file)) return undefined
  const running = parseRunning(await readFile(file, 'utf8'))
  return running !== undefined && isAlive(running.pid) ? running : undefined
}

/** Undefined if the file was truncated by a crash. */
function parseRunning(text: string): RunningInstance | undefined {
  try {
    const parsed: RunningInstance = JSON.parse(text)
    return Number.isInteger(parsed.pid) ? parsed : undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
