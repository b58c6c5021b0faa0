import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findNode24, installDependencies, playground, root, run } from './setup.mjs'

const source = join(root, 'src')
const target = join(root, 'dist')

const [node] = await Promise.all([
  findNode24(),
  installDependencies({ label: 'development dependencies', dev: true })
])
rmSync(target, { recursive: true, force: true })
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
// Set by the tests, which check the types of all files before.
const checked = process.env.NONET_BUILD_CHECKED ? ['--noCheck'] : []
const { code } = await run(node, [compiler, '-p', join(root, 'tsconfig.build.json'), ...checked])
if (code !== 0) process.exit(code)
for (const file of listAssets()) cpSync(join(source, file), join(target, file))
await copyPlayground()

function listAssets() {
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isAsset(entry.name))
    .map((entry) => relative(source, join(entry.parentPath ?? entry.path, entry.name)))
    .filter((path) => !path.startsWith(relative(source, playground)))
}

/** Copies the third-party files that the playground serves, with their licences. */
async function copyPlayground() {
  const folder = join(target, relative(source, playground))
  const { PLAYGROUND_FILES } = await import(pathToFileURL(join(folder, '..', 'files.js')))
  for (const [name, { module }] of Object.entries(PLAYGROUND_FILES)) {
    const [owner] = module.split('/')
    cpSync(join(playground, 'node_modules', module), join(folder, 'files', name))
    if (owner === '..') continue
    const licence = join(playground, 'node_modules', owner, 'LICENSE')
    cpSync(licence, join(folder, 'files', `${owner}.LICENSE`))
  }
}

function isAsset(name) {
  return name.endsWith('.d.ts') || !/\.(ts|md)$/.test(name)
}
