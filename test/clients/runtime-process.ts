import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const modules = join(import.meta.dirname, 'node_modules')

const BINARIES: Readonly<Record<string, readonly string[]>> = {
  bun: [
    '@oven/bun-linux-aarch64/bin/bun',
    '@oven/bun-linux-x64/bin/bun',
    '@oven/bun-darwin-aarch64/bin/bun',
    '@oven/bun-darwin-x64/bin/bun',
    '@oven/bun-windows-x64/bin/bun.exe'
  ],
  deno: [
    '@deno/linux-arm64-glibc/deno',
    '@deno/linux-x64-glibc/deno',
    '@deno/darwin-arm64/deno',
    '@deno/darwin-x64/deno',
    '@deno/win32-x64/deno.exe'
  ]
}

/** npm installs the one package that fits this machine; no install script is needed. */
export function findRuntime(name: 'bun' | 'deno'): string {
  const found = BINARIES[name]?.map((path) => join(modules, path)).find(existsSync)
  if (found === undefined) throw new Error(`There is no ${name} for this machine in ${modules}`)
  return found
}

export interface RuntimeProcess {
  url: string
  stop: () => Promise<void>
}

/** Starts a runtime and waits until it says where it listens. */
export async function startRuntime(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>
): Promise<RuntimeProcess> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env } })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  let printed = ''
  function watch(chunk: Buffer): void {
    printed += chunk
    const port = /http:\/\/[^\s:]+:(\d+)/.exec(printed)?.[1]
    if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
  }
  child.stdout.on('data', watch)
  child.stderr.on('data', watch)
  child.once('error', reject)
  gone.then(() => reject(new Error(`${command} ended: ${printed}`)))
  return {
    url: await promise,
    async stop() {
      child.kill()
      await gone
    }
  }
}
