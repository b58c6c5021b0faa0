import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type DovecotOauth2,
  dovecotConfiguration,
  oauth2Configuration
} from './dovecot-configuration.ts'
import { guard } from './guard.ts'
import { freePort } from './ports.ts'
import { unprivilegedUser } from './unprivileged-user.ts'

export { DOVECOT_PASSWORD } from './dovecot-configuration.ts'

const START_TIMEOUT_MS = 60_000
/** Leaves space for the names of the sockets below it. */
const MAX_FOLDER_LENGTH = 60
const STOP = 'kill "$0"; while kill -0 "$0" 2>/dev/null; do sleep 0.05; done'

export interface Dovecot extends AsyncDisposable {
  host: string
  imapPort: number
  lmtpPort: number
  processId: number
  log: () => string
  /** Stops the server and removes its mail. */
  close: () => Promise<void>
}

export interface DovecotOptions {
  /** Path of the program. */
  program?: string
  durable?: boolean
  /** Whether LMTP delivers mail to `ada+Archive@example.test` to that mailbox. */
  detailMailboxes?: boolean
  oauth2?: DovecotOauth2
}

/** Starts Dovecot on free ports, with empty mailboxes for every user name. */
export async function openDovecot(options: DovecotOptions = {}): Promise<Dovecot> {
  const { program = process.env.NONET_DOVECOT, durable = false, oauth2 } = options
  const { detailMailboxes = false } = options
  assert.ok(program, 'NONET_DOVECOT is set by npm test')
  const user = unprivilegedUser()
  const folder = shortFolder()
  const version = execFileSync(program, ['--version'], { encoding: 'utf8' })
  const imapPort = await freePort()
  const lmtpPort = await freePort()
  for (const name of ['run', 'state', 'mail']) mkdirSync(join(folder, name))
  for (const name of ['', 'run', 'state', 'mail']) {
    chownSync(join(folder, name), user.uid, user.gid)
  }
  const file = join(folder, 'dovecot.conf')
  const setup = { version, folder, user, imapPort, lmtpPort, durable, detailMailboxes, oauth2 }
  writeFileSync(file, dovecotConfiguration(setup))
  if (oauth2 !== undefined) writeFileSync(join(folder, 'oauth2.conf'), oauth2Configuration(oauth2))
  const identity = process.getuid?.() === 0 ? { uid: user.uid, gid: user.gid } : {}
  const child = spawn(program, ['-F', '-c', file], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...identity
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const processId = child.pid ?? 0
  const close = guard(folder, ['sh', '-c', STOP, String(processId)])
  const log = () => errors + readLog(folder)
  try {
    for (const port of [imapPort, lmtpPort]) {
      await untilAccepted(port, () => child.exitCode === null, log)
    }
  } catch (error) {
    await close()
    throw error
  }
  child.unref()
  child.stderr.destroy()
  return {
    host: '127.0.0.1',
    imapPort,
    lmtpPort,
    processId,
    log,
    close,
    [Symbol.asyncDispose]: close
  }
}

function shortFolder(): string {
  const parent = tmpdir().length <= MAX_FOLDER_LENGTH ? tmpdir() : '/tmp'
  return mkdtempSync(join(parent, 'nd-'))
}

function readLog(folder: string): string {
  const file = join(folder, 'log')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

async function untilAccepted(
  port: number,
  isRunning: () => boolean,
  log: () => string
): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS
  while (!(await greets(port))) {
    assert.ok(isRunning() && performance.now() < deadline, `Dovecot does not start: ${log()}`)
    await wait(20)
  }
}

function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('data', () => end(true)).once('error', () => end(false))
  })
}
