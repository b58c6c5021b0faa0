import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fail, root } from './setup.mjs'

/**
 * Starts a script of `test/support` that prints one line when its server is ready. The script ends
 * when its input is closed, so it does not outlive this process.
 */
export async function startServer(node, name, script, path) {
  const file = join(root, 'test', 'support', script)
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', file, path], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  const gone = once(child, 'exit')
  const [printed] = await Promise.race([once(child.stdout, 'data'), gone.then(() => [''])])
  if (!printed) fail(`${name} does not start; its messages are above.`)
  async function stop() {
    child.stdin.end()
    await gone
  }
  return { printed: String(printed).trim(), stop }
}
