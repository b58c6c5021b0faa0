import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')

export interface CompiledPackage {
  /** A project in whose `node_modules` there is the package as it is published. */
  folder: string
  /** Writes a module of that project and gives its path. */
  write: (name: string, source: string) => Promise<string>
  remove: () => Promise<void>
}

/** Compiles into a folder of its own: other tests build `dist/` at the same time. */
export async function compilePackage(): Promise<CompiledPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'nonet-compiled-'))
  const target = join(folder, 'node_modules/nonet')
  await mkdir(target, { recursive: true })
  for (const name of ['package.json', 'bin', 'exports']) {
    await cp(join(root, name), join(target, name), { recursive: true })
  }
  await promisify(execFile)(
    process.execPath,
    [
      join(root, 'node_modules/typescript/bin/tsc'),
      ...['-p', join(root, 'tsconfig.build.json')],
      ...['--outDir', join(target, 'dist'), '--noCheck']
    ],
    { cwd: root }
  )
  const manifest = { private: true, type: 'module', dependencies: { nonet: '*' } }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  return {
    folder,
    async write(name, source) {
      const path = join(folder, name)
      await writeFile(path, source)
      return path
    },
    remove: () => rm(folder, { recursive: true, force: true })
  }
}
