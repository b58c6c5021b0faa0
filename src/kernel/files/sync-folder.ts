import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Only the owner can read the folder, as everything in the data folder. */
const FOLDER_MODE = 0o700

/** Makes the entries of a folder durable. Windows cannot open folders and needs no such call. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Folders that are created are entries of their parents, which have to be durable too. */
export async function makeFolder(path: string, durable: boolean): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: FOLDER_MODE })
  if (first === undefined || !durable) return
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    await syncFolder(dirname(made))
  }
}
