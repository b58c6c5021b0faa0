import { readFileSync } from 'node:fs'

const POLL_MS = 300
const SHELLS = ['sh', 'dash', 'bash', 'ash', 'busybox', 'ksh', 'zsh']

export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Process id of the launcher, so that the Node process it starts ends with it. */
export const LAUNCHER_VARIABLE = 'NONET_LAUNCHER_PID'

/** Ends this process when its parent ends, because a killed npm does not stop its children. */
export function endWithParent() {
  if (!startedByNpm() && !startedByLauncher()) return
  const before = lineage()
  const poll = setInterval(() => {
    if (lineage() === before) return
    forget()
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(143)
  }, POLL_MS)
  poll.unref()

  // Ctrl+C ends npm as well, and the end of npm must not count as a second request to stop.
  const signalled = (signal) => {
    forget()
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
  }
  const forget = () => {
    clearInterval(poll)
    for (const signal of STOP_SIGNALS) process.off(signal, signalled)
  }
  for (const signal of STOP_SIGNALS) process.on(signal, signalled)
}

function startedByNpm() {
  return Boolean(process.env.npm_lifecycle_event || process.env.npm_execpath)
}

function startedByLauncher() {
  return process.env[LAUNCHER_VARIABLE] === String(process.ppid)
}

function lineage() {
  const parent = process.ppid
  // Windows keeps reporting the id of a parent that has ended.
  if (process.platform === 'win32') return `${parent} ${isAlive(parent)}`
  return `${parent} ${parentOfShell(parent)}`
}

// npm runs a script through `sh -c`; a shell that does not replace itself with its
// command outlives a killed npm, and only the shell's parent changes.
function parentOfShell(pid) {
  if (process.platform !== 'linux') return ''
  try {
    const [, name, parent] = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    return SHELLS.includes(name) ? parent : ''
  } catch {
    return ''
  }
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
