import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './launcher.ts'

const MODULES = join(ROOT, 'test/clients/node_modules')
const TIMEOUT_MS = 120_000

const COMPILER_FLAGS = [
  ...['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions'],
  ...['--target', 'es2024', '--lib', 'es2024,dom,dom.iterable'],
  ...['--module', 'nodenext', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
]

const execute = promisify(execFile)

/** A folder with a client for a generated description of an API. */
export interface ClientProject {
  /** Generates the types of a document with openapi-typescript. */
  generate: (document: string, file: string) => Promise<void>
  /** Runs the compiler on the files. */
  compile: (...files: string[]) => Promise<Ended>
  run: (file: string, args: readonly string[]) => Promise<Ended>
}

interface Ended {
  code: number
  stdout: string
  stderr: string
}

export function openClientProject(folder: string): ClientProject {
  symlinkSync(MODULES, join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  return {
    async generate(document, file) {
      const generator = join(MODULES, 'openapi-typescript/bin/cli.js')
      const made = await runScript(generator, [document, '-o', file], folder)
      assert.equal(made.code, 0, made.stderr)
    },
    compile: (...files) =>
      runScript(
        join(ROOT, 'node_modules/typescript/bin/tsc'),
        [...COMPILER_FLAGS, ...files],
        folder
      ),
    run: (file, args) => runScript(file, args, folder)
  }
}

async function runScript(script: string, args: readonly string[], cwd: string): Promise<Ended> {
  return execute(process.execPath, [script, ...args], { cwd, timeout: TIMEOUT_MS }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout: String(stdout), stderr: String(stderr) })
  )
}
