import assert from 'node:assert/strict'
import { createRandom } from '../test/support/random.ts'
import { type Contender, OWN_CHECKOUT, startService } from './contender.ts'
import { cpuMs } from './cpu.ts'
import { median } from './load.ts'
import { drawWord, type Filled, fill, OLD_WORD, USER_NAMES, wordOfRank } from './statuses-data.ts'
import type { Engine } from './storage.ts'
import { type Bar, markdownTable } from './table.ts'

const QUERIES = 200
/** One query in this many has a word that is common. */
const COMMON_EVERY = 5
const COMMON_SHARE = 0.1
const ROUNDS = 3
const COMMON_RANKS = 18

interface SearchQuery {
  text: string
  isCommon: boolean
}

/** 200 different queries; of a fifth, one word is in at least a tenth of the posts. */
function makeQueries({ frequency }: Filled, posts: number): SearchQuery[] {
  const random = createRandom(7)
  const isCommon = (word: string) => (frequency.get(word) ?? 0) >= posts * COMMON_SHARE
  const common = Array.from({ length: COMMON_RANKS }, (_, index) => wordOfRank(index + 1)).filter(
    isCommon
  )
  assert.ok(common.length > 5 && isCommon(OLD_WORD), 'words that are common')
  const uncommon = () => {
    for (;;) {
      const word = drawWord(random)
      if (!isCommon(word)) return word
    }
  }
  const [ada, bo] = USER_NAMES
  const commonKinds: readonly ((word: string) => string)[] = [
    (word) => word,
    (word) => `${word} ${common[random.below(common.length)]}`,
    (word) => `${word} ${uncommon()}`,
    (word) => `"${word} ${common[random.below(common.length)]}"`,
    (word) => `${word} from:${bo}`,
    (word) => `${word} until:2015-06-01`,
    (word) => `${word} -${common[random.below(common.length)]}`,
    () => `${OLD_WORD} ${uncommon()}`,
    () => OLD_WORD
  ]
  const otherKinds: readonly (() => string)[] = [
    uncommon,
    () => `${uncommon()} ${uncommon()}`,
    () => `"${uncommon()} ${uncommon()}"`,
    () => `${uncommon()} from:${ada}`,
    () => `${uncommon()} has:links`,
    () => `${uncommon()} since:2016-01-01 until:2017-01-01`,
    () => `nothing${random.below(1_000)}`,
    () => `${uncommon()} -${uncommon()}`
  ]
  const texts = new Map<string, boolean>()
  for (let index = 0; texts.size < QUERIES; index++) {
    const isOne = texts.size % COMMON_EVERY === 0
    const word = common[index % common.length] ?? ''
    const kinds = isOne ? commonKinds : otherKinds
    const text = kinds[index % kinds.length]?.(word) ?? word
    if (!texts.has(text)) texts.set(text, isOne)
  }
  return [...texts].map(([text, isOne]) => ({ text, isCommon: isOne }))
}

async function search(nonet: Contender, text: string): Promise<void> {
  const response = await fetch(`${nonet.url}/search?q=${encodeURIComponent(text)}`)
  const page = await response.text()
  assert.equal(response.status, 200, `${text}: ${page}`)
}

export interface SearchOutcome {
  text: string
  bars: readonly Bar[]
}

/** CPU of nonet and of the backends of PostgreSQL for each query, the median of its rounds. */
export async function benchSearch(engine: Engine, posts: number): Promise<SearchOutcome> {
  const storage = await engine.open()
  const filled = await fill(OWN_CHECKOUT, storage.flags, posts)
  const nonet = await startService(OWN_CHECKOUT, 'statuses', storage.flags)
  const queries = makeQueries(filled, posts)
  for (const { text } of queries) await search(nonet, text)
  const samples = queries.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { text }] of queries.entries()) {
      const before = await cpuMs(nonet, storage)
      await search(nonet, text)
      samples[index]?.push((await cpuMs(nonet, storage)) - before)
    }
  }
  await nonet.stop()
  await storage.remove()
  const figures = queries.map((query, index) => ({ ...query, ms: median(samples[index] ?? []) }))
  const slowest = figures.toSorted((one, other) => other.ms - one.ms)
  const row = (name: string, some: readonly { ms: number }[]) => [
    name,
    String(some.length),
    median(some.map(({ ms }) => ms)).toFixed(2),
    Math.max(...some.map(({ ms }) => ms)).toFixed(2)
  ]
  const rows = [
    row('all', figures),
    row(
      'with a common word',
      figures.filter(({ isCommon }) => isCommon)
    ),
    row(
      'others',
      figures.filter(({ isCommon }) => !isCommon)
    )
  ]
  const named = slowest.slice(0, 3).map(({ text, ms }) => `\`${text}\` ${ms.toFixed(1)} ms`)
  const what = `${engine.name}: search over ${posts} posts, CPU ms`
  return {
    text: `### ${engine.name}: ${QUERIES} search queries over ${posts} posts

${markdownTable(['queries', 'number', 'median CPU ms', 'worst CPU ms'], rows)}

CPU of nonet${storage.serverPid === undefined ? '' : ' and of the processes of PostgreSQL'}, the median of ${ROUNDS} rounds for each query. Slowest: ${named.join(', ')}. Importing took ${filled.seconds.toFixed(0)} s.`,
    bars: [
      { what: `${what}, median`, value: median(figures.map(({ ms }) => ms)), atMost: 20 },
      { what: `${what}, worst`, value: slowest[0]?.ms ?? Number.NaN, atMost: 100 }
    ]
  }
}
