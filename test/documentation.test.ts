/** Every command that README and docs/ show is run, and what they show as its answer compared. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { outlineOf } from '../src/kernel/markdown.ts'
import { openCommandSocket } from './support/command-socket.ts'
import { ENGINES, postgresUrl } from './support/engines.ts'
import { runNonet } from './support/launcher.ts'
import { freePort, freePortBase } from './support/ports.ts'

const root = join(import.meta.dirname, '..')
const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root })]

interface Fence {
  page: string
  line: number
  label: string
  text: string
  /** The fence right below, when it shows this one's answer. */
  answer: { label: string; text: string } | undefined
}

const SHELLS = ['sh', 'bash', 'shell']
const ANSWERS = ['json', 'text', 'http', 'html']
const OTHERS = ['ts', 'js', 'python', 'nginx', 'yaml', 'toml', 'console']
const START = /^npm start\b/
const COMMAND_TIMEOUT_MS = 120_000

function fencesOf(page: string): Fence[] {
  const source = readFileSync(join(root, page), 'utf8')
  const matches = [...source.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)]
  return matches.map((match, index) => {
    const next = matches[index + 1]
    const end = match.index + match[0].length
    const follows = next !== undefined && source.slice(end, next.index).trim() === ''
    const isAnswer = follows && ANSWERS.includes(next[1] ?? '')
    return {
      page,
      line: source.slice(0, match.index).split('\n').length,
      label: match[1] ?? '',
      text: match[2] ?? '',
      answer: isAnswer ? { label: next[1] ?? '', text: next[2] ?? '' } : undefined
    }
  })
}

const fences = pages.flatMap(fencesOf)

test('every fence says what it is', () => {
  for (const { page, line, label } of fences) {
    const known = [...SHELLS, ...ANSWERS, ...OTHERS].includes(label)
    assert.ok(known, `${page}:${line}: unknown or missing label ${JSON.stringify(label)}`)
  }
})

test('every file that is shown is the file it says it is', () => {
  for (const { page, line, text } of fences.filter(({ label }) => label === 'yaml')) {
    const [, file = '', shown] = /^# (examples\/\S+)\n(.*)$/s.exec(text) ?? []
    if (shown === undefined) continue
    assert.equal(shown, readFileSync(join(root, file), 'utf8'), `${page}:${line}`)
  }
})

test('every relative link leads to a file, and to a heading of it', () => {
  const headings = new Map<string, readonly string[]>()
  for (const page of pages) {
    const source = readFileSync(join(root, page), 'utf8')
    for (const [, target = '', fragment] of source.matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const path = target === '' ? page : join(page, '..', target)
      assert.ok(existsSync(join(root, path)), `${page} links to ${target}`)
      if (fragment === undefined) continue
      if (!headings.has(path)) headings.set(path, headingsOf(path))
      assert.ok(headings.get(path)?.includes(fragment), `${page} links to ${target}#${fragment}`)
    }
  }
})

function headingsOf(page: string): readonly string[] {
  return outlineOf(readFileSync(join(root, page), 'utf8')).headings.map(({ id }) => id)
}

test('every error code of a contract stands in docs/reference/errors.md, and the reverse', () => {
  const listed = new Set(
    [
      ...readFileSync(join(root, 'docs/reference/errors.md'), 'utf8').matchAll(/^\| `([A-Z_]+)`/gm)
    ].map(([, code]) => code)
  )
  const sources = globSync('src/**/*.ts', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8')
  )
  // Either an error constructor, or a row of a table: code, status, title.
  const thrown = new Set(
    sources.flatMap((text) =>
      [
        ...text.matchAll(/createError(?:<[^>]*>)?\(\s*'([A-Z_]+)'/g),
        ...text.matchAll(/^ {2}([A-Z_]+): \[\s*[45]\d\d,/gm)
      ].map(([, code]) => code)
    )
  )
  assert.deepEqual([...listed].sort(), [...thrown].sort())
})

test('every flag of every command stands in docs/reference/cli.md', async () => {
  const page = readFileSync(join(root, 'docs/reference/cli.md'), 'utf8')
  const sections = new Map(page.split(/^## /m).map((text) => [text.split('\n', 1)[0], text]))
  const { stdout: overview } = await runNonet(['--help'])
  const commands = [...overview.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name = '']) => name)
  assert.ok(commands.includes('up'))
  for (const command of commands) {
    const own = sections.get(command) ?? assert.fail(`${command} is not documented`)
    const text = own.includes('the options of `up`') ? own + sections.get('up') : own
    const { stdout: help } = await runNonet([command, '--help'])
    for (const [, flag] of help.matchAll(/^ {2}(?:-\w, | {4})?--([A-Za-z-]+)/gm)) {
      assert.match(text, new RegExp(`--${flag}[ \`]`), `${command} --${flag} is not documented`)
    }
  }
})

function testCommands(): void {
  let base = 0
  let spare = 0
  let folder = ''
  let server: ChildProcess
  /** `nonet mock` of the sample document, which the page of the mock calls on port 4010. */
  let mocking: ChildProcess
  let printed = ''

  before(async () => {
    base = await freePortBase()
    folder = makeUserFolder()
    const args = ['start', '--silent', '--', `--port-base=${base}`, '--ephemeral']
    server = spawn('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const chunk of server.stdout ?? []) {
      printed += chunk
      if (printed.includes('Open http')) break
    }
    spare = await freePort()
    const mock = ['bin/nonet.mjs', 'mock', 'data/mock/garden.yaml', '-p', String(base + 10)]
    const stdio: StdioOptions = ['ignore', 'pipe', 'inherit']
    mocking = spawn(process.execPath, mock, { cwd: root, stdio })
    for await (const chunk of mocking.stdout ?? []) {
      if (String(chunk).includes('Open http')) break
    }
  })
  after(async () => {
    for (const child of [server, mocking]) {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    }
    rmSync(folder, { recursive: true, force: true })
  })

  const commands = fences.filter(({ label }) => SHELLS.includes(label))
  const npx = commands.find(({ text }) => text.includes('npx nonet'))
  for (const fence of commands) {
    test(`${fence.page}:${fence.line}`, async () => {
      const used = toUsedPorts(fence.text, base).replace(SPARE_PORT, String(spare))
      const command = fence === npx ? used : withoutNpx(used)
      const shown = START.test(fence.text) ? printed : await run(command, folder)
      if (fence.answer !== undefined) compare(toShownPorts(shown, base), fence.answer)
    })
  }
}

/** A folder in which `npx nonet` works as it does for somebody who installed it. */
function makeUserFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nonet-docs-'))
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(join(root, 'bin/nonet.mjs'), join(folder, 'node_modules/.bin/nonet'))
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  symlinkSync(join(root, 'data'), join(folder, 'data'))
  symlinkSync(join(root, 'examples'), join(folder, 'examples'))
  symlinkSync(join(root, 'data/reference'), join(folder, 'my-universe'))
  return folder
}

let loaded: Awaited<ReturnType<typeof openCommandSocket>>

/**
 * Runs what `npx nonet` starts in a user's folder, in a process that has loaded nonet. One command
 * is run by npx itself; for all of them it would take two seconds of CPU each.
 */
function withoutNpx(command: string): string {
  return command.replaceAll('npx nonet', loaded.command)
}

/** Commands find the Node of this run, so that the launcher need not start it as another process. */
const COMMAND_ENVIRONMENT = {
  ...process.env,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`
}

/** Of a second mock, which an example starts and ends itself. */
const SPARE_PORT = /\b4011\b/g

/** Of the console, the services, `nonet mock`, and the mail server of mailbox. */
function isOffset(offset: number): boolean {
  return (offset >= 0 && offset <= 10) || offset === 25 || offset === 143
}

/** The pages show the default ports; the test uses free ones. */
function toUsedPorts(text: string, base: number): string {
  return text.replace(/(127\.0\.0\.1|localhost):4(\d{3})\b/g, (whole, host, digits) =>
    isOffset(Number(digits)) ? `${host}:${base + Number(digits)}` : whole
  )
}

function toShownPorts(text: string, base: number): string {
  return text.replace(/(127\.0\.0\.1|localhost):(\d+)\b/g, (whole, host, port) => {
    const offset = Number(port) - base
    return isOffset(offset) ? `${host}:${4000 + offset}` : whole
  })
}

/** JSON may be shown indented; in text `…` stands for what differs from run to run. */
function compare(actual: string, { label, text }: { label: string; text: string }): void {
  if (label === 'json' && !text.includes('…')) {
    assert.equal(JSON.stringify(JSON.parse(actual)), JSON.stringify(JSON.parse(text)))
    return
  }
  const pattern = text.trim().split('…').map(escapeForPattern).join('[^]*?')
  assert.match(normalise(actual), new RegExp(`^${normalise(pattern)}$`))
}

function normalise(text: string): string {
  return text.replaceAll('\r', '').trim()
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Examples that would go on running are started on free ports, and stopped at once. */
function testStarts(): void {
  const shown = fences
    .filter(({ label }) => label === 'console')
    .flatMap(({ page, line, text }) =>
      text
        .replaceAll('\\\n', ' ')
        .split('\n')
        .map((command) => command.replace(/^\$ /, ''))
        .filter(
          (command) =>
            /^(\w+=\S+ )*npx nonet (up|mock|proxy)\b/.test(command) && !command.includes(' -- ')
        )
        .map((command) => ({ where: `${page}:${line}`, command }))
    )
  let folder = ''
  before(() => {
    folder = makeUserFolder()
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  for (const { where, command } of shown) {
    test(`${where} ${command}`, async () => {
      if (!command.includes('npx nonet up')) {
        await startAndStop(command.replace('npx nonet', 'node node_modules/.bin/nonet'), folder)
        return
      }
      const server = ENGINES.includes('postgres') ? postgresUrl() : '$&'
      const usable = command.replace(/postgres:\/\/\S+/, server)
      await run(`${withoutNpx(usable)} --port-base 0 --ephemeral --quiet -- node -e 0`, folder)
    })
  }
}

/** For commands that run nothing beside them. */
async function startAndStop(command: string, cwd: string): Promise<void> {
  const child = spawn('bash', ['-c', `exec ${command} --port 0`], {
    cwd,
    env: COMMAND_ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const gone = once(child, 'exit')
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += chunk
    if (printed.includes('nonet is listening on ')) break
  }
  child.kill()
  const [code] = await gone
  assert.equal(code, 0, printed)
}

function run(command: string, cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      'bash',
      ['-c', command],
      { cwd, timeout: COMMAND_TIMEOUT_MS, env: COMMAND_ENVIRONMENT },
      (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(`${command}\n${stdout}${stderr}`))
    )
  })
}

/** ``A record is created (`src/services/boxes/`): `index.ts` → `routes.ts` → …`` */
const WALK = /^(.+) \(`(src\/[^`]+)`\): (`[^`]+`(?: → `[^`]+`)+)/gm

test('each file of a walk through the code imports the next', () => {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const walks = [...page.matchAll(WALK)]
  assert.deepEqual(
    walks.map(([, title]) => title),
    ['A record is created', 'A mocked response is chosen']
  )
  for (const [, title, folder = '', steps = ''] of walks) {
    const files = [...steps.matchAll(/`([^`]+)`/g)].map(([, name = '']) => join(folder, name))
    assert.ok(files.length <= 8, title)
    for (const [index, file] of files.entries()) {
      const source = readFileSync(join(root, file), 'utf8')
      const imported = [...source.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(
        ([, target = '']) => join(dirname(file), target)
      )
      const next = files[index + 1]
      if (next !== undefined) assert.ok(imported.includes(next), `${file} does not import ${next}`)
    }
  }
})

/** Side by side, because processes are waited for; the starts use neither the ports nor the folder. */
describe('what is shown', { concurrency: true }, () => {
  before(async () => {
    loaded = await openCommandSocket()
  })
  after(() => loaded[Symbol.asyncDispose]())
  describe('the commands shown', { concurrency: 1 }, testCommands)
  describe('the starts shown', { concurrency: 1 }, testStarts)
})
