// Changes one line at a time in a copy of the repository and runs the service's tests on it:
//   npm run mutate -- [count] [seed] [service …]
// Prints changes that no test detects; the score is the share of detected ones.
import { spawn } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './setup.mjs'

const RUN_TIMEOUT_MS = 60_000

/** Each operator returns a wrong version of the line, or the line unchanged. */
const OPERATORS = {
  'drop the guard': (line) => (/^\s*if \(.*\) (return|throw|continue)\b.*$/.test(line) ? '' : line),
  'invert ===': (line) => line.replace(' === ', ' !== '),
  'invert !==': (line) => line.replace(' !== ', ' === '),
  'and becomes or': (line) => line.replace(' && ', ' || '),
  'or becomes and': (line) => line.replace(' || ', ' && '),
  '> becomes <=': (line) => line.replace(/ > (?=[\w(])/, ' <= '),
  '< becomes >=': (line) => line.replace(/ < (?=[\w(])/, ' >= '),
  '>= becomes <': (line) => line.replace(' >= ', ' < '),
  '<= becomes >': (line) => line.replace(' <= ', ' > '),
  'drop the not': (line) => line.replace(/([( ])!(?=[\w(])/, '$1'),
  'drop the call': (line) => (/^\s+\w[\w.]*\(.*\)$/.test(line) ? '' : line),
  'true becomes false': (line) => line.replace(/\btrue\b/, 'false'),
  'another status': (line) =>
    line.replace(/\b(200|204|303|304|400|403|404|405|406|429|500)\b/, '299'),
  'plus becomes minus': (line) => line.replace(/ \+ (?=[\w(])/, ' - '),
  'another text': (line) => line.replace(/'([A-Za-z][\w ]{3,})'/, "'$1 changed'")
}

const [count = '60', seed = '1', ...wanted] = process.argv.slice(2)
const services = wanted.length === 0 ? ['reference', 'forms'] : wanted

const copy = copyTree()
await main().finally(() => rmSync(copy, { recursive: true, force: true }))

function copyTree() {
  const folder = mkdtempSync(join(tmpdir(), 'nonet-mutants-'))
  for (const name of ['src', 'test', 'data', 'bin', 'scripts', 'package.json']) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.includes('node_modules')
    })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

async function main() {
  for (const service of services) {
    if (!(await passes(service))) throw new Error(`the tests of ${service} fail as they are`)
  }
  const chosen = services.flatMap((service) =>
    shuffle(mutantsOf(service)).slice(0, Math.ceil(Number(count) / services.length))
  )
  const survivors = []
  for (const [index, mutant] of chosen.entries()) {
    const survived = await tryMutant(mutant)
    if (survived) survivors.push(mutant)
    const verdict = survived ? 'SURVIVED' : 'caught'
    console.log(
      `${index + 1}/${chosen.length} ${verdict}  ${mutant.path}:${mutant.line} ${mutant.operator}`
    )
    if (survived)
      console.log(`    ${mutant.before.trim()}\n  → ${mutant.after.trim() || '(removed)'}`)
  }
  const caught = chosen.length - survivors.length
  console.log(
    `caught ${caught} of ${chosen.length}: ${((100 * caught) / chosen.length).toFixed(1)} %`
  )
  process.exitCode = caught / chosen.length >= 0.9 ? 0 : 1
}

function mutantsOf(service) {
  return globSync(`src/services/${service}/**/*.ts`, { cwd: copy })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => mutantsOfFile(service, path))
}

function mutantsOfFile(service, path) {
  const lines = readFileSync(join(copy, path), 'utf8').split('\n')
  return lines.flatMap((before, index) => {
    if (/^\s*(\/\/|\*|\/\*|import |export type|type |interface )/.test(before)) return []
    return Object.entries(OPERATORS).flatMap(([operator, change]) => {
      const after = change(before)
      if (after === before) return []
      const text = lines.with(index, after).join('\n')
      return parses(text) ? [{ service, path, line: index + 1, operator, before, after, text }] : []
    })
  })
}

function parses(text) {
  try {
    stripTypeScriptTypes(text)
    return true
  } catch {
    return false
  }
}

async function tryMutant({ service, path, text }) {
  const file = join(copy, path)
  const original = readFileSync(file, 'utf8')
  writeFileSync(file, text)
  const survived = await passes(service)
  writeFileSync(file, original)
  return survived
}

function passes(service) {
  const files = [
    ...globSync(`test/contract/${service}*.test.ts`, { cwd: copy }),
    ...globSync(`src/services/${service}/**/*.test.ts`, { cwd: copy })
  ]
  const child = spawn(
    process.execPath,
    ['--test', '--test-isolation=none', '--test-reporter=dot', ...files],
    {
      cwd: copy,
      stdio: 'ignore'
    }
  )
  const timer = setTimeout(() => child.kill('SIGKILL'), RUN_TIMEOUT_MS)
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })
}

/** The order is the same for the same seed, so that a score can be reproduced. */
function shuffle(items) {
  let state = Number(seed)
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  return items
    .map((item) => ({ item, key: next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
