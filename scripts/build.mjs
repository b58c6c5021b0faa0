import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { findNode24, install, root, run } from './setup.mjs'

const source = join(root, 'src')
const target = join(root, 'dist')

const [node] = await Promise.all([
  findNode24(),
  install(root, { label: 'development dependencies', dev: true })
])
rmSync(target, { recursive: true, force: true })
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const { code } = await run(node, [compiler, '-p', join(root, 'tsconfig.build.json')])
if (code !== 0) process.exit(code)
for (const file of listAssets()) cpSync(join(source, file), join(target, file))

function listAssets() {
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isAsset(entry.name))
    .map((entry) => relative(source, join(entry.parentPath ?? entry.path, entry.name)))
}

function isAsset(name) {
  return name.endsWith('.d.ts') || !/\.(ts|md)$/.test(name)
}
