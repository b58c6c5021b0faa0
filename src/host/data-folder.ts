import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type DiskReserve, openDiskReserve } from '../kernel/database/disk-reserve.ts'
import { isDiskFull } from '../kernel/database/sqlite-errors.ts'
import { UserError } from '../kernel/errors.ts'
import type { Configuration } from './configuration-reader.ts'
import { FILE_MODE, FOLDER_MODE, tightenModes } from './file-modes.ts'

const RUNNING_FILE = 'running.json'
const RESERVE_FILE = '.nonet-reserve'
/** nonet deletes only in folders that contain this file. */
const MARKER_FILE = '.nonet-data'

/** How other processes reach the nonet process that uses a data folder. */
export interface RunningInstance {
  pid: number
  console: string | undefined
  token: string
  /** URL of its PostgreSQL database; undefined if its tables are in the folder. */
  database: string | undefined
  /** URL of the bucket with its files, without keys; undefined if they are in the folder. */
  files?: string | undefined
}

export interface DataFolder {
  path: string
  serviceFolder: (name: string) => string
  /** Space for deletions on a full disk; undefined for temporary data. */
  reserve: () => DiskReserve | undefined
  writeRunFile: (running: RunningInstance) => Promise<void>
  close: () => Promise<void>
}

export async function openDataFolder(
  configuration: Pick<Configuration, 'data' | 'ephemeral'>,
  warn: (text: string) => void
): Promise<DataFolder> {
  const { ephemeral } = configuration
  const path = ephemeral
    ? makeTemporaryFolder()
    : await prepareDataFolder(resolve(configuration.data), warn)
  const runningFile = join(path, RUNNING_FILE)
  let written: RunningInstance | undefined
  let reserve: DiskReserve | undefined
  let waiting: NodeJS.Timeout | undefined

  async function write(running: RunningInstance): Promise<void> {
    written = running
    ownTokens.add(running.token)
    try {
      await explained(path, () => writeRunningFile(runningFile, running, reserve))
    } catch (error) {
      if (!isDiskFull(error)) throw error
      warn(`Commands such as nonet reset cannot find this process: ${(error as Error).message}`)
    }
  }

  function stopWaiting(): void {
    clearInterval(waiting)
    waiting = undefined
  }

  /** Writes the run file when the process that has written it ends. */
  function waitFor(running: RunningInstance): void {
    waiting = setInterval(async () => {
      const other = await findRunningInstance(path)
      if (other !== undefined || waiting === undefined) return
      stopWaiting()
      await write(running).catch(({ message }: Error) => warn(message))
    }, TAKEOVER_MS).unref()
  }

  return {
    path,
    serviceFolder: (name) => join(path, name),
    reserve() {
      if (!ephemeral) reserve ??= openDiskReserve(join(path, RESERVE_FILE), warn)
      return reserve
    },
    async writeRunFile(running) {
      const other = await findOtherInstance(path)
      if (other === undefined) return write(running)
      warn(`Until process ${other.pid} ends, commands such as nonet reset use it for ${path}`)
      waitFor(running)
    },
    async close() {
      stopWaiting()
      if (ephemeral) {
        await rm(path, { recursive: true, force: true })
        temporaryFolders.delete(path)
      }
      if (written === undefined) return
      ownTokens.delete(written.token)
      // Another process may have replaced it.
      if ((await findRunningInstance(path))?.token === written.token) {
        await rm(runningFile, { force: true })
      }
    }
  }
}

/** The file contains the token of the console, so only the owner can read it. */
async function writeRunningFile(
  file: string,
  running: RunningInstance,
  reserve: DiskReserve | undefined
): Promise<void> {
  const text = `${JSON.stringify(running)}\n`
  const write = () => writeFile(file, text, { mode: FILE_MODE })
  await write().catch((error) => {
    if (!isDiskFull(error) || reserve?.release() !== true) throw error
    return write()
  })
  await chmod(file, FILE_MODE)
}

/** Tokens in the run files of this process. */
const ownTokens = new Set<string>()
const PROBE_TIMEOUT_MS = 2_000
const TAKEOVER_MS = 500

/**
 * The instance that has written the run file, if it is still running. The file of a killed process
 * may contain an id that now belongs to another program, or to this process.
 */
async function findOtherInstance(path: string): Promise<RunningInstance | undefined> {
  const found = await findRunningInstance(path)
  if (found === undefined) return undefined
  if (found.pid === process.pid) return ownTokens.has(found.token) ? found : undefined
  if (found.console === undefined) return found
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
  const isGone = await fetch(`${found.console}/healthz`, { signal }).then(
    ({ ok }) => !ok,
    // An instance that is too busy to respond in time is running.
    ({ name }: Error) => name !== 'TimeoutError'
  )
  return isGone ? undefined : found
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

/**
 * Creates the folder if needed, with a marker file and a `.gitignore` that excludes it, and lets
 * only its owner read it.
 */
export async function prepareDataFolder(
  path: string,
  warn: (text: string) => void = () => {}
): Promise<string> {
  return explained(path, async () => {
    await mkdir(dirname(path), { recursive: true })
    await mkdir(path, { recursive: true, mode: FOLDER_MODE })
    await tightenModes(path, warn)
    for (const [name, text] of Object.entries({ '.gitignore': '*\n', [MARKER_FILE]: '' })) {
      const file = join(path, name)
      if (!existsSync(file)) await writeFile(file, text, { mode: FILE_MODE })
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
