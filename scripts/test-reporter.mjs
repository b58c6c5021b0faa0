import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { Readable } from 'node:stream'
import { spec as SpecReporter } from 'node:test/reporters'
import { root } from './setup.mjs'

const SLOWEST = 10
/** The engine in the name of a test: `…, on sqlite`, `state in memory`. */
const ENGINE = /\b(sqlite|postgres)\b|(?<=state in |the state, |; )memory$/

/** Node's report, with omitted tests and the slowest and costliest files above the totals. */
export default async function* report(events) {
  yield* Readable.from(withNotes(events)).compose(new SpecReporter())
}

async function* withNotes(events) {
  const leftOut = process.env.NONET_TEST_LEFT_OUT
  const counts = createEngineCounts()
  const files = []
  for await (const event of events) {
    counts.note(event)
    if (event.type === 'test:summary' && event.data.file) files.push(event.data)
    if (isFirstTotal(event)) {
      if (files.length > SLOWEST)
        yield* notes([...counts.describe(), ...slowest(files), ...costliest()])
      if (leftOut) yield* notes([leftOut], 'warn')
    }
    yield event
  }
}

function* notes(messages, level = 'info') {
  for (const message of messages) {
    yield { type: 'test:diagnostic', data: { nesting: 0, message, level } }
  }
}

/** A test counts for the engine in its name, else for that in the name of the nearest suite. */
function createEngineCounts() {
  const counts = new Map()
  const names = new Map()
  return {
    note({ type, data }) {
      if (type === 'test:start') namesOf(data.file)[data.nesting] = data.name
      if (type !== 'test:pass' && type !== 'test:fail') return
      if (data.details?.type === 'suite') return
      const path = [...namesOf(data.file).slice(0, data.nesting), data.name]
      const engine = path.toReversed().map(engineIn).find(Boolean) ?? 'no engine named'
      counts.set(engine, (counts.get(engine) ?? 0) + 1)
    },
    describe: () =>
      [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `${name}: ${count}`)
  }

  function namesOf(file) {
    if (!names.has(file)) names.set(file, [])
    return names.get(file)
  }
}

function engineIn(name) {
  return ENGINE.exec(name)?.[0]
}

function slowest(files) {
  return files
    .toSorted((a, b) => b.duration_ms - a.duration_ms)
    .slice(0, SLOWEST)
    .map(({ file, duration_ms: ms }) => `${(ms / 1000).toFixed(1)} s ${relative(root, file)}`)
}

/** By CPU time of the test and of its children, but not of servers that all tests share. */
function costliest() {
  const noted = process.env.NONET_TEST_TIMES
  if (!noted || !existsSync(noted)) return []
  return readFileSync(noted, 'utf8')
    .trim()
    .split('\n')
    .map((line) => /^(\S+) \S+ (.*)$/.exec(line))
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, SLOWEST)
    .map(([, seconds, file]) => `${seconds} s of CPU ${relative(root, file)}`)
}

function isFirstTotal({ type, data }) {
  return type === 'test:diagnostic' && data.nesting === 0 && /^tests \d+$/.test(data.message)
}
