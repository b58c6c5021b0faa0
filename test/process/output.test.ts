/** Output that is not read, whose reader is gone, or for which the disk has no space. */
import assert from 'node:assert/strict'
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { LAUNCHER, ROOT, runNonet } from '../support/launcher.ts'
import { freePortBase } from '../support/ports.ts'
import { CAN_MOUNT, smallDisk } from '../support/small-disk.ts'

/** A line of the log has about 300 bytes, so these exceed all buffers together. */
const MANY_REQUESTS = 5_000
const LONG_PATH = `/${'x'.repeat(250)}`
const POLL_MS = 20
const DEADLINE_MS = 60_000
const limits = { skip: process.platform !== 'linux' && 'needs Linux', timeout: 3 * DEADLINE_MS }

interface Served extends AsyncDisposable {
  child: ChildProcess
  service: string
  console: string
}

/** Starts nonet on known ports, because its first line may not be readable. */
async function serve(
  output: readonly ('pipe' | number)[],
  wrap: (command: readonly string[]) => readonly string[] = (command) => command
): Promise<Served> {
  const base = await freePortBase()
  const [program = '', ...args] = wrap([
    ...[process.execPath, LAUNCHER, 'up', 'reference'],
    ...['--ephemeral', `--port-base=${base}`]
  ])
  const stdio: StdioOptions = ['ignore', ...output]
  const child = spawn(program, args, { cwd: ROOT, stdio })
  const console = `http://127.0.0.1:${base}`
  await until(async () => (await fetch(`${console}/readyz`).catch(() => undefined))?.ok === true)
  return {
    child,
    console,
    service: `http://127.0.0.1:${base + 1}`,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
}

async function until(isReached: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS
  while (!(await isReached())) {
    assert.ok(performance.now() < deadline, 'not reached in time')
    await wait(POLL_MS)
  }
}

/** Sends requests one after the other on one connection without waiting for the responses. */
async function sendMany(url: string, count: number): Promise<void> {
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1').resume()
  for (let sent = 0; sent < count - 1; sent += 1) {
    if (!socket.write(`GET ${LONG_PATH} HTTP/1.1\r\nHost: localhost\r\n\r\n`)) {
      await once(socket, 'drain', { signal: AbortSignal.timeout(DEADLINE_MS) })
    }
  }
  socket.end(`GET ${LONG_PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  await once(socket, 'close', { signal: AbortSignal.timeout(DEADLINE_MS) })
}

async function linesDropped({ console }: Served): Promise<number> {
  const text = await (await fetch(`${console}/metrics`)).text()
  return Number(/^nonet_log_lines_dropped_total (\d+)$/m.exec(text)?.[1])
}

async function assertServes({ service }: Served): Promise<void> {
  const signal = AbortSignal.timeout(DEADLINE_MS)
  assert.equal((await fetch(`${service}/api/people/1/`, { signal })).status, 200)
}

/** The deadline of a drain is 10 s; without open connections nothing needs it. */
async function assertEnds({ child }: Served): Promise<void> {
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) })
  child.kill('SIGTERM')
  assert.deepEqual(await exited, [0, null])
}

test('an unread pipe drops lines, and SIGTERM ends the process', limits, async () => {
  await using nonet = await serve(['pipe', 'pipe'])
  const { stdout, stderr } = nonet.child
  let warnings = ''
  stderr?.setEncoding('utf8').on('data', (text) => {
    warnings += text
  })
  await sendMany(nonet.service, MANY_REQUESTS)
  await assertServes(nonet)
  const dropped = await linesDropped(nonet)
  assert.ok(dropped > 0, `${dropped} lines dropped`)
  assert.equal(warnings, '')

  stdout?.resume()
  await until(async () => {
    await assertServes(nonet)
    return warnings !== ''
  })
  assert.match(warnings, /^nonet: dropped \d+ lines of standard output: its reader is too slow\n$/)

  stdout?.pause()
  await sendMany(nonet.service, MANY_REQUESTS / 4)
  await assertEnds(nonet)
})

test('closed pipes drop lines', limits, async () => {
  await using nonet = await serve(['pipe', 'pipe'])
  nonet.child.stdout?.destroy()
  nonet.child.stderr?.destroy()
  await sendMany(nonet.service, 10)
  await assertServes(nonet)
  assert.ok((await linesDropped(nonet)) >= 10)
  await assertEnds(nonet)
})

test('a device without space drops lines', limits, async () => {
  const full = openSync('/dev/full', 'w')
  await using nonet = await serve([full, full])
  closeSync(full)
  await sendMany(nonet.service, 10)
  await assertServes(nonet)
  assert.ok((await linesDropped(nonet)) >= 11)
  await assertEnds(nonet)
})

test('a log on a full disk continues when there is space', {
  ...limits,
  skip: !CAN_MOUNT && 'needs root on Linux'
}, async () => {
  using disk = smallDisk(1)
  const log = join(disk.path, 'log')
  const ballast = join(disk.path, 'ballast')
  const file = openSync(log, 'a')
  await using nonet = await serve([file, 'pipe'])
  closeSync(file)
  let warnings = ''
  nonet.child.stderr?.setEncoding('utf8').on('data', (text) => {
    warnings += text
  })
  assert.throws(() => writeFileSync(ballast, Buffer.alloc(2 * 1024 * 1024)), { code: 'ENOSPC' })
  await sendMany(nonet.service, 100)
  await assertServes(nonet)
  assert.ok((await linesDropped(nonet)) > 0)
  assert.equal(warnings, '')
  rmSync(ballast)
  await until(async () => {
    await assertServes(nonet)
    return warnings !== ''
  })
  assert.match(warnings, /^nonet: dropped \d+ lines of standard output: .+\n$/)
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  assert.equal(JSON.parse(lines.at(-1) ?? '').path, '/api/people/1/')
  await assertEnds(nonet)
})

test('a terminal that is not read does not stop the service', limits, async () => {
  const command = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ')
  // `script` runs a command on a terminal of its own and copies its output to the unread pipe.
  await using nonet = await serve(['pipe', 'pipe'], (words) => [
    ...['script', '-qefc', `exec ${command(words)}`, '/dev/null']
  ])
  // How much the terminal, `script` and the pipe take differs by machine.
  await until(async () => {
    await sendMany(nonet.service, MANY_REQUESTS)
    await assertServes(nonet)
    return (await linesDropped(nonet)) > 0
  })
})

test('a command whose output cannot be written fails with a sentence', limits, async () => {
  const { code, stderr } = await runNonet([], {
    launcher: ['sh', '-c', `exec "${process.execPath}" "${LAUNCHER}" --version > /dev/full`]
  })
  assert.equal(code, 1)
  assert.equal(stderr, 'nonet: Cannot write the output: ENOSPC: no space left on device, write\n')
})
