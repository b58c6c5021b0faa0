import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const CACHE_MS = 10_000

/** Bytes of all files below a folder. Repeated calls within ten seconds share one result. */
export function folderSizeOf(folder: string): () => Promise<number> {
  let size: Promise<number> | undefined
  let expires = 0
  return () => {
    const now = performance.now()
    if (size === undefined || now >= expires) {
      size = measure(folder)
      expires = now + CACHE_MS
    }
    return size
  }
}

/** Files may disappear while they are counted. */
async function measure(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  let bytes = 0
  for (const { parentPath, name } of files) {
    const found = await lstat(join(parentPath, name)).catch(() => undefined)
    bytes += found?.size ?? 0
  }
  return bytes
}
