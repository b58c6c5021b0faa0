import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, sep } from 'node:path'
import { endWithParent } from '../bin/parent.mjs'
import { cpuSecondsOf } from './cpu-seconds.mjs'
import { findChromium } from './find-chromium.mjs'
import { findPostgres, startPostgres } from './postgres-server.mjs'
import { startServer } from './server-process.mjs'
import {
  existing,
  fail,
  findNode22,
  findNode24,
  findOnPath,
  findPackagedPostgres,
  install,
  installDependencies,
  root,
  run
} from './setup.mjs'

/** Ends a test that hangs. It was 120 s, which tests exceeded while the machine was throttled. */
const TEST_TIMEOUT_MS = 600_000
/** Two more than cores: many tests wait. Six at once take as long as four on two cores. */
const FILES_AT_ONCE = availableParallelism() + 2
/** Compile cache of all test processes; without it each process compiles its imports again. */
const COMPILE_CACHE = join(root, 'node_modules', '.cache', 'nonet-tests')

/** Another test run on this machine may be installing packages. */
const WAIT_FOR_LOCK = ['-o', 'DPkg::Lock::Timeout=300']

/** A file system in memory, and the room that the files of a run need. */
const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES = 8 * 2 ** 30

/**
 * Programs that tests need besides npm packages, for test files whose path starts with one of
 * `serves`. `find` resolves to a path or undefined; `variable` passes the path to the tests;
 * `packages` are of Debian, `orPackages` are tried if these fail; `otherwise` is the last attempt.
 * `start` starts a server for the whole run and returns variables and a function to stop it.
 */
const COMPONENTS = [
  {
    name: 'chromium',
    serves: [
      ...['test/browser/', 'test/clients/boxes-react', 'test/clients/scenarios-playwright'],
      ...['test/clients/statuses-react-tweet', 'test/clients/statuses-markup'],
      ...['test/clients/mailbox-emailengine', 'test/clients/mailbox-how-to']
    ],
    variable: 'NONET_CHROMIUM',
    find: findChromium,
    start: startChromium,
    packages: ['chromium-headless-shell', 'fonts-dejavu-core'],
    // Older versions of Debian have no headless shell.
    orPackages: ['chromium', 'fonts-dejavu-core'],
    elsewhere: 'install Chrome or Chromium, or set NONET_CHROMIUM to the path of one'
  },
  {
    name: 'node22',
    serves: ['test/process/package', 'test/process/linked-clone'],
    variable: 'NONET_NODE22',
    find: async () => process.env.NONET_NODE22 || findNode22(),
    packages: [],
    elsewhere: 'install Node 22 and set NONET_NODE22 to its path'
  },
  {
    name: 'dovecot',
    serves: ['test/clients/mailbox-dovecot'],
    variable: 'NONET_DOVECOT',
    find: findDovecot,
    packages: ['dovecot-imapd', 'dovecot-lmtpd', 'isync', 'python3', 'curl', 'openssl'],
    elsewhere: 'install Dovecot with IMAP and LMTP, isync, Python 3, curl and OpenSSL'
  },
  {
    name: 'nginx',
    serves: ['test/process/proxy'],
    variable: 'NONET_NGINX',
    find: findNginx,
    packages: ['nginx-light'],
    orPackages: ['nginx'],
    elsewhere: 'install nginx, or set NONET_NGINX to its path'
  },
  {
    name: 'postgres',
    serves: [
      ...['test/database/', 'test/process/storage', 'test/groups/'],
      ...['test/faults/boxes-outage', 'test/faults/boxes-query', 'test/faults/boxes-indexes'],
      ...[
        'test/faults/boxes-races',
        'test/faults/boxes-private',
        'test/faults/boxes-processes',
        'test/contract/boxes-rules',
        'test/contract/boxes-pages',
        'test/faults/boxes-large-pages',
        'test/faults/boxes-feed'
      ],
      ...[
        'test/process/boxes-streams',
        'test/process/token',
        'test/process/boxes-exchange',
        'test/contract/boxes-losses'
      ],
      ...[
        'test/faults/outbox-',
        'test/faults/scenarios-',
        'test/contract/mock-state',
        'test/faults/mock-state'
      ],
      ...['test/contract/mailbox-', 'test/process/mailbox-', 'test/faults/mailbox-'],
      ...['test/clients/mailbox-', 'test/browser/mailbox'],
      ...['test/contract/statuses-', 'test/process/statuses-', 'test/faults/statuses-'],
      ...[
        'test/contract/cards-',
        'test/process/cards-',
        'test/faults/cards-',
        'test/clients/cards-',
        'test/clients/s3-',
        'test/browser/cards-flow'
      ],
      ...['test/clients/mock-state', 'test/documentation']
    ],
    variable: 'NONET_POSTGRES_BIN',
    find: findPostgres,
    otherwise: findPackagedPostgres,
    start: startPostgresServer,
    packages: ['postgresql'],
    elsewhere: 'install PostgreSQL, or set NONET_POSTGRES_BIN to the folder of its initdb'
  }
]

/** CPU seconds, seconds and path of each test file of the last run. */
const TEST_TIMES = join(root, 'node_modules', '.cache', 'nonet-test-times.txt')

/** Tests that need a process of their own, or wait so long that others wait with them. */
const ALONE = JSON.parse(readFileSync(join(root, 'test', 'alone.json'), 'utf8'))

const words = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
const flags = process.argv.slice(2).filter((argument) => argument.startsWith('-'))
const checkOnly = flags.includes('--check')
/** CPU time of servers that leave the process tree. */
let detachedCpuSeconds = 0

endWithParent()
keepTemporaryFilesInMemory()
const { files, leftOut } = leaveOut(select(listTestFiles(), words))
if (!checkOnly && files.length === 0) fail(`No test file matches ${words.join(' ')}.`)
// Downloads run at the same time, and while the checks use the CPU.
const clients = words.length === 0 || needs(files, ['test/clients/']) ? installClients() : undefined
const [node] = await Promise.all([
  findNode24(),
  installDependencies({ label: 'development dependencies', dev: true })
])
const components = checkOnly ? undefined : prepareComponents()
if (checkOnly || words.length === 0) process.exitCode = await check()
await clients
if (components !== undefined) await useComponents(await components)
if (!checkOnly && words.length === 0) describeCost()

async function useComponents({ variables, stop }) {
  if (!process.exitCode) process.exitCode = await runTests(variables)
  await stop()
}

/**
 * Prints time and CPU time of all ended processes that this one started: installations, checks,
 * tests and their children, Chromium, the shared PostgreSQL. Not counted are npm and servers that
 * a single test starts and that leave its process tree.
 */
function describeCost() {
  const wall = `${Math.round(performance.now() / 1000)} s`
  const cpu = cpuSecondsOf('self')
  const spent = cpu === undefined ? '' : `, ${Math.round(cpu + detachedCpuSeconds)} s of CPU`
  console.error(`Took ${wall}${spent}`)
}

/**
 * A thousand commits of SQLite take 0.02–0.07 s in memory and 0.7–2.2 s on a disk, and a fifth of
 * the CPU. The tests of durability kill processes, not the machine, so the files need no disk.
 */
function keepTemporaryFilesInMemory() {
  if (process.env.TMPDIR || !existsSync(MEMORY_FOLDER)) return
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  const free = Math.min(bavail * bsize, process.availableMemory?.() ?? 0)
  if (free < MEMORY_BYTES) return
  const folder = mkdtempSync(join(MEMORY_FOLDER, 'nonet-'))
  // Servers and commands of other users have folders in it.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

function listTestFiles() {
  return ['src', 'test']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !path.includes('/node_modules/'))
    .sort()
}

/**
 * Unit tests, contract tests and tests of the database run in groups, one process for each file of
 * `test/units/` and `test/groups/`, unless a path is named.
 */
function select(paths, wanted) {
  const isGrouped = wanted.every((word) => isService(word) || isGroup(word))
  const shown = paths.filter((path) => (isGrouped ? !isInGroup(path) : !isGroup(path)))
  if (wanted.length === 0) return shown
  return shown.filter((path) => wanted.some((word) => matches(path, word)))
}

function isGroup(path) {
  return path.startsWith('test/units/') || path.startsWith('test/groups/')
}

function isInGroup(path) {
  if (ALONE.includes(path)) return false
  if (path.startsWith('src/') || path.startsWith('test/database/')) return true
  const [, service] = /^test\/contract\/(\w+)/.exec(path) ?? []
  return service !== undefined && existsSync(join(root, 'test', 'groups', `${service}-1.test.ts`))
}

function isService(word) {
  return existsSync(join(root, 'src', 'services', word))
}

function matches(path, word) {
  if (!isService(word)) return path.includes(word)
  if (ALONE.includes(path)) return path.startsWith(`test/contract/${word}-`)
  return path.startsWith(`test/groups/${word}-`) || path === `test/units/${word}.test.ts`
}

function leaveOut(paths) {
  const named = (process.env.NONET_TEST_WITHOUT ?? '').split(',').map((name) => name.trim())
  const without = COMPONENTS.filter(({ name }) => named.includes(name))
  const kept = paths.filter((path) => !without.some(({ serves }) => needs([path], serves)))
  return { files: kept, leftOut: without.filter(({ serves }) => needs(paths, serves)) }
}

function needs(paths, starts) {
  return paths.some((path) => starts.some((start) => path.startsWith(start)))
}

async function installClients() {
  const folder = join(root, 'test', 'clients')
  if (!existsSync(join(folder, 'package.json'))) return
  await Promise.all([
    install(folder, { label: 'third-party clients', dev: true }),
    install(join(folder, 'react-tweet'), { label: 'react-tweet', dev: true })
  ])
}

/** TypeScript waits for the clients' packages, because the clients' tests use their types. */
async function check() {
  const biome = ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']
  const { code } = await run(node, biome, { cwd: root })
  if (code !== 0) return code
  await clients
  return (await run(node, ['node_modules/typescript/bin/tsc', '--noEmit'], { cwd: root })).code
}

async function runTests(variables) {
  mkdirSync(COMPILE_CACHE, { recursive: true })
  rmSync(TEST_TIMES, { force: true })
  const noted = { NODE_COMPILE_CACHE: COMPILE_CACHE, NONET_TEST_TIMES: TEST_TIMES }
  const env = { ...noted, ...process.env, ...variables }
  if (leftOut.length > 0) env.NONET_TEST_LEFT_OUT = describeLeftOut()
  const { code } = await run(
    node,
    [
      '--disable-warning=ExperimentalWarning',
      '--import=./bin/source-modules.mjs',
      '--import=./scripts/untracked-promises.mjs',
      '--import=./scripts/end-after-tests.mjs',
      '--test',
      `--test-concurrency=${countAtOnce()}`,
      `--test-timeout=${TEST_TIMEOUT_MS}`,
      '--test-reporter=./scripts/test-reporter.mjs',
      ...flags,
      ...files
    ],
    { cwd: root, env }
  )
  return code
}

/** The few files of one service run all at once; the last one would otherwise run alone. */
function countAtOnce() {
  const isOneService = words.length === 1 && isService(words[0])
  return isOneService ? Math.max(FILES_AT_ONCE, files.length) : FILES_AT_ONCE
}

function describeLeftOut() {
  const parts = leftOut.map(
    ({ name, serves }) => `${name} (${serves.map((start) => `${start}*`).join(', ')})`
  )
  return `left out by NONET_TEST_WITHOUT: ${parts.join(', ')}`
}

async function prepareComponents() {
  const needed = COMPONENTS.filter(({ serves }) => needs(files, serves)).filter(isWanted)
  const paths = await findAll(needed)
  const absent = needed.filter(({ packages }, index) => packages.length > 0 && !paths[index])
  if (absent.length > 0 && canInstallPackages()) {
    await installPackages(absent)
    Object.assign(paths, await findAll(needed))
  }
  for (const [index, { otherwise }] of needed.entries()) paths[index] ??= await otherwise?.()
  const missing = needed.filter((_, index) => !paths[index])
  if (missing.length > 0) fail(missing.map(describeMissing).join('\n'))
  const started = await Promise.all(needed.map(({ start }, index) => start?.(paths[index])))
  const found = Object.fromEntries(needed.map(({ variable }, index) => [variable, paths[index]]))
  return {
    variables: Object.assign(found, ...started.map((one) => one?.variables)),
    stop: () => Promise.all(started.map((one) => one?.stop()))
  }
}

/** PostgreSQL is skipped if only tests of single services are run, to keep such runs short. */
function isWanted({ name }) {
  return name !== 'postgres' || words.length === 0 || !words.every(isService)
}

function findAll(components) {
  return Promise.all(components.map((component) => component.find()))
}

function describeMissing({ name, packages, elsewhere }) {
  const command =
    packages.length > 0 && findOnPath('apt-get')
      ? `run as root: apt-get install -y --no-install-recommends ${packages.join(' ')}`
      : elsewhere
  return `The tests need ${name}: ${command} (or leave its tests out: NONET_TEST_WITHOUT=${name}).`
}

function canInstallPackages() {
  return process.getuid?.() === 0 && findOnPath('apt-get') !== undefined
}

/** All in one command, or else each component alone, with the packages of other versions of Debian. */
async function installPackages(components) {
  const options = {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit']
  }
  const install = async (names) => {
    console.error(`Installing ${names.join(', ')} (first run only)`)
    const command = ['-qq', ...WAIT_FOR_LOCK, 'install', '-y', '--no-install-recommends', ...names]
    return (await run('apt-get', command, options)).code === 0
  }
  await run('apt-get', ['-qq', 'update'], options)
  if (await install(components.flatMap(({ packages }) => packages))) return
  for (const { packages, orPackages } of components) {
    for (const names of [packages, orPackages].filter(Boolean)) if (await install(names)) break
  }
}

async function findNginx() {
  if (process.env.NONET_NGINX) return existing(process.env.NONET_NGINX)
  // The folder is on the path of root only.
  return findOnPath('nginx') ?? existing('/usr/sbin/nginx')
}

/** The path of Dovecot, if the mail clients are installed as well. */
async function findDovecot() {
  // The folder is on the path of root only.
  const program = process.env.NONET_DOVECOT ?? findOnPath('dovecot') ?? '/usr/sbin/dovecot'
  const hasClients = ['mbsync', 'python3', 'curl', 'openssl'].every(
    (name) => findOnPath(name) !== undefined
  )
  return hasClients && hasLmtp() ? existing(program) : undefined
}

function hasLmtp() {
  return ['/usr/lib/dovecot', '/usr/libexec/dovecot', '/usr/local/libexec/dovecot'].some((folder) =>
    existsSync(join(folder, 'lmtp'))
  )
}

async function startPostgresServer(binaries) {
  const { variables, processId, stop } = await startPostgres(node, binaries)
  return {
    variables,
    stop() {
      detachedCpuSeconds += cpuSecondsOf(processId) ?? 0
      return stop()
    }
  }
}

async function startChromium(path) {
  const { printed, stop } = await startServer(node, 'Chromium', 'run-chromium.ts', path)
  return { variables: { NONET_CHROMIUM_SERVER: printed }, stop }
}
