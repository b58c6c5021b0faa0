import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { UserError } from '../errors.ts'

/** A folder that has another name until it is complete; without `finish` it is removed. */
export interface TargetFolder extends AsyncDisposable {
  readonly path: string
  finish: () => Promise<void>
}

const OWNER_ONLY = 0o700
const EVERYONE = 0o777

/** Only its owner may read it unless it `isPublic`: exports have hidden texts, static pages none. */
export async function openTarget(
  target: string,
  { isPublic }: { isPublic: boolean }
): Promise<TargetFolder> {
  await checkFree(target)
  const path = `${target}.part-${randomBytes(6).toString('hex')}`
  try {
    await mkdir(dirname(target), { recursive: true })
    await mkdir(path, { mode: isPublic ? EVERYONE : OWNER_ONLY })
  } catch (cause) {
    throw new UserError(`Cannot write to ${dirname(target)}: ${(cause as Error).message}`, {
      cause
    })
  }
  let isFinished = false
  return {
    path,
    async finish() {
      await checkFree(target)
      // Some systems do not replace an empty folder.
      await rmdir(target).catch(() => undefined)
      await rename(path, target)
      isFinished = true
    },
    async [Symbol.asyncDispose]() {
      if (!isFinished) await rm(path, { recursive: true, force: true })
    }
  }
}

/** The target may be an empty folder. */
async function checkFree(target: string): Promise<void> {
  try {
    const [first] = await readdir(target)
    if (first === undefined) return
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return
    if (code !== 'ENOTDIR') throw new UserError(message, { cause })
    throw new UserError(`${target} is a file; name a folder that does not exist yet`, { cause })
  }
  throw new UserError(
    `The folder ${basename(target)} is not empty; name another one or remove it first (${target})`
  )
}
