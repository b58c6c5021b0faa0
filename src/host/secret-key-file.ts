import { randomBytes } from 'node:crypto'
import { link, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UserError } from '../kernel/errors.ts'
import { syncFolder } from '../kernel/files/sync-folder.ts'
import { formatKeys, KeyMalformed, parseKeys, type SecretKeys } from '../kernel/secrets/keys.ts'
import { FILE_MODE, SECRET_KEY_FILE } from './file-modes.ts'

/** More than the largest valid file; a device may have no end. */
const MAX_BYTES = 64 * 1024
const OTHERS = 0o077

const COMMENT =
  '# Key of nonet for stored secrets, which cannot be read without it. It is not in backups: keep\n' +
  '# a copy elsewhere. The first line seals, all lines open.\n'

/** The file that nonet creates itself. */
export function ownKeyFile(folder: string): string {
  return join(folder, SECRET_KEY_FILE)
}

export interface KeyFile {
  keys: SecretKeys
  /** Whether other users of the machine can read it. */
  isOpen: boolean
}

/** Undefined if there is no such file. */
export async function readKeyFile(path: string): Promise<KeyFile | undefined> {
  try {
    await using file = await open(path, 'r')
    const facts = await file.stat()
    const isOpen = process.platform !== 'win32' && facts.isFile() && (facts.mode & OTHERS) !== 0
    const chunks: Buffer[] = []
    for await (const chunk of file.createReadStream({ autoClose: false, end: MAX_BYTES })) {
      chunks.push(chunk)
    }
    const bytes = Buffer.concat(chunks)
    if (bytes.length > MAX_BYTES) throw new KeyMalformed(`it has more than ${MAX_BYTES} bytes`)
    return { keys: parseKeys(bytes.toString()), isOpen }
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new UserError(`Cannot use the secret key file ${path}: ${message}`, { cause })
  }
}

/** Creates the file completely or not at all, unless another process has; returns what counts. */
export async function createKeyFile(path: string, keys: SecretKeys): Promise<SecretKeys> {
  return written(path, keys, async (partial) => {
    await link(partial, path).catch((error) => {
      if (error.code === 'EEXIST') return
      // Some file systems have no links.
      return rename(partial, path)
    })
  })
}

export async function replaceKeyFile(path: string, keys: SecretKeys): Promise<SecretKeys> {
  return written(path, keys, (partial) => rename(partial, path))
}

async function written(
  path: string,
  keys: SecretKeys,
  publish: (partial: string) => Promise<void>
): Promise<SecretKeys> {
  const partial = `${path}.${randomBytes(8).toString('hex')}.part`
  try {
    await writeFile(partial, COMMENT + formatKeys(keys), { mode: FILE_MODE, flush: true })
    await publish(partial)
    await syncFolder(dirname(path))
  } catch (cause) {
    const reason = (cause as Error).message
    throw new UserError(
      `Cannot write the key for stored secrets: ${reason}; make the folder writable, or give a key ` +
        'with --secret-key-file or NONET_SECRET_KEY',
      { cause }
    )
  } finally {
    await rm(partial, { force: true }).catch(() => undefined)
  }
  return (await readKeyFile(path))?.keys ?? keys
}
