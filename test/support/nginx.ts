import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePortBase } from './ports.ts'
import { scratchFolder } from './scratch-folder.ts'

const START_TIMEOUT_MS = 60_000

export interface Nginx extends AsyncDisposable {
  url: string
}

/** Starts nginx as the current user with the given `server` blocks, all on one free port. */
export async function openNginx(serversOn: (listen: string) => string): Promise<Nginx> {
  const program = process.env.NONET_NGINX
  assert.ok(program, 'NONET_NGINX is set by npm test')
  const folder = scratchFolder()
  const port = await freePortBase()
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configurationOf(folder, serversOn(`127.0.0.1:${port}`)))
  mkdirSync(join(folder, 'logs'), { recursive: true })
  const child = spawn(program, ['-p', folder, '-c', file], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  const closed = once(child, 'close')
  const deadline = performance.now() + START_TIMEOUT_MS
  while (!(await accepts(port))) {
    const isDead = child.exitCode !== null || child.signalCode !== null
    assert.ok(!isDead && performance.now() < deadline, `nginx does not listen: ${said}`)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill()
      await closed
    }
  }
}

function configurationOf(folder: string, servers: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n')
  return `daemon off;
master_process off;
pid ${join(folder, 'nginx.pid')};
error_log stderr;
events {}
http {
access_log off;
${temporary}
${servers}
}
`
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}
