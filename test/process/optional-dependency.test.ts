/** A clone on a machine for which the registry has no sharp. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT, temporaryFolder } from '../support/launcher.ts'
import { animate, noise } from '../support/planted-images.ts'
import { createRandom } from '../support/random.ts'

/** What sharp needs; two of them are also dependencies of packages that are not optional. */
const SHARP_PACKAGES = /^node_modules\/(?:@img\/|@emnapi\/|(?:sharp|detect-libc|semver|tslib)$)/

const SETUP = `
import { install, root } from './scripts/setup.mjs'
await install(root, { label: 'dependencies' })
`

const USE = `
import { createImages } from './src/kernel/images/images.ts'
import { readFileSync } from 'node:fs'
const images = createImages()
const { mediaType, width, height } = await images.clean(readFileSync('image.png'))
console.log(mediaType, width, height)
console.log(await images.clean(readFileSync('image.gif')).catch(({ message }) => message))
`

function cloneInto(folder: string): void {
  for (const path of ['bin', 'scripts/setup.mjs', '.npmrc', 'src/kernel']) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  }
  const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))
  const { name, version, type, optionalDependencies } = read('package.json')
  const lock = read('package-lock.json')
  const locked = Object.entries<object>(lock.packages)
    .filter(([path]) => SHARP_PACKAGES.test(path))
    .map(([path, entry]) => [path, { ...entry, optional: true }])
  const packages = { '': { name, version, optionalDependencies }, ...Object.fromEntries(locked) }
  const write = (file: string, value: object) =>
    writeFileSync(join(folder, file), JSON.stringify(value))
  write('package.json', { name, version, type, optionalDependencies })
  write('package-lock.json', { ...lock, packages })
}

test('a clone works without the optional dependency', { timeout: 300_000 }, async () => {
  using folder = temporaryFolder()
  cloneInto(folder.path)
  const image = noise(createRandom(3), 6, 4, 3).png()
  writeFileSync(join(folder.path, 'image.png'), await image.toBuffer())
  writeFileSync(join(folder.path, 'image.gif'), await animate(createRandom(3), (one) => one.gif()))
  const run = (source: string) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', source], {
      cwd: folder.path,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        npm_config_registry: 'http://127.0.0.1:1/',
        npm_config_cache: join(folder.path, 'cache'),
        npm_config_fetch_retries: '0'
      }
    })
  run(SETUP)
  assert.ok(existsSync(join(folder.path, 'node_modules/.nonet-setup')))
  assert.ok(!existsSync(join(folder.path, 'node_modules/sharp')))
  assert.equal(
    run(USE),
    'image/png 6 4\nGIF images need the package sharp, which is not available here; ' +
      'convert the image to JPEG, PNG or WebP.\n'
  )
})
