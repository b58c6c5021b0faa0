import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { PREFIXES } from './driver.ts'
import { openFileFolder } from './folder.ts'
import { makeFolder, syncFolder } from './sync-folder.ts'

/** Moves all files of a folder to another one on the same disk, durably. */
export async function moveFiles(from: string, to: string): Promise<void> {
  const source = openFileFolder(from, { durable: false })
  for (const prefix of PREFIXES) {
    const hashes = await source.list(prefix)
    if (hashes.length === 0) continue
    const folder = join(to, prefix)
    await makeFolder(folder, true)
    for (const hash of hashes) {
      const path = join(from, prefix, hash)
      await syncFile(path)
      await rename(path, join(folder, hash))
    }
    await syncFolder(folder)
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
