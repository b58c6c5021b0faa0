/** The rules of ARCHITECTURE.md that a machine can hold. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { findMetaphors, findRiddles } from '../scripts/words.mjs'

const root = join(import.meta.dirname, '..')

const tracked = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
  { cwd: root, encoding: 'utf8' }
)
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(root, path)))

const sources = tracked
  .filter((path) => path.startsWith('src/') && path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'src/kernel': ['src/kernel'],
  'src/services': ['src/kernel'],
  'src/console': ['src/kernel', 'src/console'],
  'src/host': ['src/kernel', 'src/services', 'src/console', 'src/host'],
  'src/cli': ['src/kernel', 'src/host', 'src/cli']
}

function homeOf(path: string): string {
  const depth = path.startsWith('src/services/') ? 3 : 2
  return path.split('/').slice(0, depth).join('/')
}

function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, target = '']) =>
    relative('.', join(dirname(path), target))
  )
}

test('imports point only downwards', () => {
  for (const { path, text } of sources) {
    const layer = Object.keys(LAYERS).find((folder) => path.startsWith(`${folder}/`))
    if (layer === undefined) continue
    const support = path.endsWith('.test.ts') ? ['test/support'] : []
    const allowed = [homeOf(path), ...(LAYERS[layer] ?? []), ...support]
    for (const target of importsOf(path, text)) {
      const fine = allowed.some((folder) => target.startsWith(`${folder}/`))
      assert.ok(fine, `${path} must not import ${target}`)
    }
  }
})

test('the host sees a service only through its index', () => {
  for (const { path, text } of sources) {
    if (!path.startsWith('src/host/')) continue
    for (const target of importsOf(path, text)) {
      if (target.startsWith('src/services/')) assert.match(target, /\/index\.ts$/, path)
    }
  }
})

test('the forms core and its adapters need nothing but web standards', () => {
  const portable = sources.filter(({ path }) => path.startsWith('src/services/forms/adapters/'))
  const seen = new Set(portable.map(({ path }) => path))
  for (const { path, text } of portable) {
    assert.doesNotMatch(text, /from '(?!\.)/, `${path} imports a package`)
    for (const target of importsOf(path, text)) {
      const source = sources.find((candidate) => candidate.path === target)
      assert.ok(source, `${path} imports ${target}`)
      if (!seen.has(target)) {
        seen.add(target)
        portable.push(source)
      }
    }
  }
  assert.ok(seen.has('src/services/forms/forward.ts'))
})

test('no drawer files, no barrels, no giants', () => {
  for (const { path, text } of sources) {
    assert.doesNotMatch(path, /\/(utils?|helpers?|common|misc|shared|types|constants)(\/|\.ts$)/)
    assert.doesNotMatch(text, /^export \* from/m, path)
    assert.ok(text.split('\n').length <= 401, `${path} is over 400 lines`)
  }
})

test('below the host nobody reads the environment, listens, or writes to the terminal', () => {
  for (const { path, text } of sources) {
    if (/^src\/(host|cli)\/|\.test\.ts$|^src\/main\.ts$/.test(path)) continue
    // The portable forms adapters read their runtime's environment: there is no host there.
    if (path.startsWith('src/services/forms/adapters/')) continue
    // A service asks the host to listen, by `kernel.listen`.
    const only = /process\.(env|std(out|err))|(?<!kernel)\.listen\(|console\.(log|error)/
    assert.doesNotMatch(text, only, path)
  }
})

test('below the host only the kernel opens sockets, after it has checked IP addresses', () => {
  const allowed = ['src/kernel/outbound-sockets.ts', 'src/kernel/database/postgres-connection.ts']
  const opening = /import [^;']*\b(connect|createConnection|Socket)\b[^;']* from 'node:(net|tls)'/
  const openers = sources.filter(({ path, text }) => {
    // The host has sockets of clients and of the terminal.
    if (path.endsWith('.test.ts') || path.startsWith('src/host/')) return false
    // Types open nothing.
    return opening.test(text.replace(/^import type .*$/gm, '').replace(/\btype \w+,?/g, ''))
  })
  assert.deepEqual(openers.map(({ path }) => path).sort(), allowed.sort())
})

test('what runs at every start of the mock takes node:http from the kernel', () => {
  for (const { path, text } of sources) {
    if (!/^src\/(kernel|host|cli|services\/mock)\//.test(path) || path.endsWith('.test.ts'))
      continue
    // As a module it costs as much as all of the mock's own code; types cost nothing.
    const values = [...text.matchAll(/^import (?!type\b)([^;']*?) from 'node:http'$/gm)].filter(
      ([, names = '']) => /[{,]\s*(?!type\b)\w/.test(names) || !names.startsWith('{')
    )
    assert.deepEqual(values, [], path)
  }
})

test('nothing in the sources is left half done', () => {
  for (const { path, text } of sources) {
    assert.doesNotMatch(
      text,
      /TODO|FIXME|XXX|@param|@returns|={4,}|as unknown as|\w\)?: any\b(?! \w)|as any\b(?! \w)/,
      path
    )
    assert.doesNotMatch(text, /NODE_ENV|catch \{\}/, path)
  }
})

test('the entry stays small and the architecture page short', () => {
  const lines = (path: string) => readFileSync(join(root, path), 'utf8').split('\n').length
  assert.ok(lines('src/main.ts') <= 20)
  assert.ok(lines('ARCHITECTURE.md') <= 150)
  assert.ok(lines('README.md') <= 150)
})

test('every dependency is named with its reason in ARCHITECTURE.md', () => {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const manifest: Record<string, Record<string, string>> = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8')
  )
  const { dependencies, optionalDependencies, devDependencies } = manifest
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies })
  for (const name of names) assert.ok(page.includes(`\`${name}\``), `${name} has no reason`)
})

test('lock files hold no download addresses, and every data set names its source', () => {
  for (const path of tracked.filter((file) => file.endsWith('package-lock.json'))) {
    assert.doesNotMatch(readFileSync(join(root, path), 'utf8'), /"resolved": "http/, path)
  }
  const sets = new Set(tracked.filter((path) => path.startsWith('data/')).map(homeOf))
  for (const set of sets) assert.ok(tracked.includes(`${set}/SOURCE.md`), `${set} has no SOURCE.md`)
})

/** Identifiers that stay: the reason is that a library or a wire format names them. */
const KEPT_IDENTIFIERS: Readonly<Record<string, string>> = {
  ASTVisitor: 'a type of the graphql package',
  places: 'a member of GET /__nonet/state'
}

test('identifiers are words of the trade', () => {
  assert.deepEqual(
    findMetaphors('const readVisitOf = inPlace.replace(roomId, BOX_DESKS, placeholder)').map(
      ({ name }) => name
    ),
    ['readVisitOf', 'inPlace', 'roomId', 'BOX_DESKS']
  )
  for (const { path, text } of sources) {
    const found = findMetaphors(text).filter(({ name }) => !(name in KEPT_IDENTIFIERS))
    assert.deepEqual(found, [], path)
  }
})

test('comments and texts say who and what', () => {
  const riddles = ['// Nothing when it is late', "'somebody'", '`nobody`']
  assert.equal(riddles.flatMap(findRiddles).length, 3)
  assert.deepEqual(findRiddles('const nobody = whoever'), [])
  for (const { path, text } of sources) {
    if (!/^src\/(kernel|host|cli|console|services\/(boxes|scenarios))\//.test(path)) continue
    assert.deepEqual(findRiddles(text), [], path)
  }
})
