import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const runFile = promisify(execFile)
const START_TIMEOUT_MS = 180_000

const running = new Set()
process.once('exit', () => {
  for (const child of running) child.kill('SIGTERM')
})

export function temporaryFolder() {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'nonet-compare-')))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** The older version: a worktree of a commit with its packages, or an existing folder. */
export async function openVersion(root, commit) {
  if (existsSync(join(commit, 'bin', 'nonet.mjs')) && statSync(commit).isDirectory()) {
    return { root: realpathSync(commit), close: async () => {} }
  }
  const folder = temporaryFolder()
  const path = join(folder.path, 'tree')
  const close = async () => {
    await git(root, 'worktree', 'remove', '--force', path).catch(() => {})
    folder.remove()
  }
  try {
    await git(root, 'worktree', 'add', '--detach', path, commit)
    // The launcher installs missing packages.
    await runFile(process.execPath, [join(path, 'bin', 'nonet.mjs'), '--version'])
    return { root: path, close }
  } catch (error) {
    await close()
    throw error
  }
}

function git(root, ...args) {
  return runFile('git', ['-C', root, ...args])
}

/** Starts a command of nonet and waits for its ready line; the arguments must include `--json`. */
export function launch(root, args, cwd, env = {}) {
  const child = spawn(process.execPath, [join(root, 'bin', 'nonet.mjs'), ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  running.add(child)
  let stdout = ''
  let stderr = ''
  const gone = new Promise((resolve) => child.once('close', resolve)).then(() => {
    running.delete(child)
  })
  const stop = async () => {
    const ended = child.exitCode !== null || child.signalCode !== null
    child.kill('SIGTERM')
    await gone
    return ended
  }
  const ready = new Promise((resolve, reject) => {
    const failed = () => reject(new Error(`nonet ${args.join(' ')} did not start: ${stderr}`))
    const timer = setTimeout(failed, START_TIMEOUT_MS)
    gone.then(failed)
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    child.stdout.on('data', (chunk) => {
      stdout += chunk
      const line = stdout.split('\n').find((one) => one.startsWith('{"'))
      if (line === undefined || !stdout.includes('\n')) return
      clearTimeout(timer)
      resolve(JSON.parse(line))
    })
  })
  return { ready, stop, log: () => stderr, exitCode: () => child.exitCode }
}

/** Starts both versions with the same arguments, each in its own folder. */
export async function startPair(roots, argsOf, env) {
  const folders = roots.map(temporaryFolder)
  const started = roots.map((root, side) =>
    launch(root, argsOf(side), folders[side].path, env?.(side))
  )
  async function stop() {
    const ended = await Promise.all(started.map((one) => one.stop()))
    for (const folder of folders) folder.remove()
    const side = ended.indexOf(true)
    if (side !== -1) throw new Error(`nonet of ${roots[side]} ended early: ${started[side].log()}`)
  }
  try {
    const ready = await Promise.all(started.map((one) => one.ready))
    const sides = ready.map((line, side) => describeSide(line, roots[side], folders[side].path))
    return { sides, stop }
  } catch (error) {
    await stop().catch(() => {})
    throw error
  }
}

/** Ports and folder names, which differ between the two servers. */
function describeSide(ready, root, folder) {
  const urls = { console: ready.console, ...ready.services }
  if (ready.url !== undefined) urls.mock = ready.url
  const named = Object.entries(urls).filter(([, url]) => url)
  const ports = named.map(([name, url]) => [new URL(url).port, `<port of ${name}>`])
  const places = [ready.data, root, folder].filter(Boolean)
  const names = places.map((path, index) => [path, `<folder ${index + 1}>`])
  if (ready.token !== undefined) names.push([ready.token, '<admin token>'])
  const targets = named.map(([name, url]) => {
    const { hostname, port } = new URL(url)
    return [name, { hostname: hostname.replace(/^\[|\]$/g, ''), port, url }]
  })
  return { names, ports: new Map(ports), targets: Object.fromEntries(targets) }
}
