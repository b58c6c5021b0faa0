import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Starts a process that waits for the end of its input, which also ends if this process is killed,
 * and then stops the server and removes its folder.
 */
export function guard(folder: string, stop: readonly string[]): () => Promise<void> {
  const script = 'cat > /dev/null; "$@"; rm -rf "$0"'
  const child = spawn('sh', ['-c', script, folder, ...stop], {
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore']
  })
  const gone = once(child, 'exit')
  child.unref()
  return async () => {
    child.ref()
    child.stdin?.end()
    await gone
  }
}
