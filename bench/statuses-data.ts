import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type ImportedPost, MAX_BATCH_POSTS } from '../src/services/statuses/import/protocol.ts'
import { createRandom, type Random } from '../test/support/random.ts'
import { parseReadyLine, startProbed } from './start.ts'

/** Ids of posts are consecutive numbers from here on. */
export const FIRST_ID = 1_000_000_000_000_000
export const USER_NAMES = ['ada', 'bo'] as const
/** Every fifth batch is of the second account. */
const BATCHES_PER_TURN = 5

/** A sort key before those of imported posts; text, because no number in JavaScript is as long. */
const FIRST_COPIED_KEY = '1000000000000000000'
const FIRST_TIME = Date.parse('2012-01-01T00:00:00Z')
const LAST_TIME = Date.parse('2024-01-01T00:00:00Z')

const SYLLABLES = ['ka', 'lo', 'mi', 'ne', 'ru', 'sta', 'ver', 'tol', 'pan', 'di', 'os', 'gre']
const WORDS_PER_POST = 20
/** The word of rank n is used in proportion to 1/n, as in real texts. */
const VOCABULARY = Array.from({ length: 20_000 }, (_, index) => spell(index))
const SUMS = VOCABULARY.reduce<number[]>((sums, _, index) => {
  sums.push((sums[index - 1] ?? 0) + 1 / (index + 1))
  return sums
}, [])
/** In many posts of the older half and in none of the newer one. */
export const OLD_WORD = 'winterly'

function spell(index: number): string {
  const { length } = SYLLABLES
  const syllable = (n: number) => SYLLABLES[n % length] ?? ''
  const rest = Math.floor(index / length)
  return rest === 0 ? `${syllable(index)}x` : syllable(index) + spell(rest)
}

export function wordOfRank(rank: number): string {
  return VOCABULARY[rank - 1] ?? ''
}

export function drawWord(random: Random): string {
  const resolution = 1_000_000
  const wanted = (random.below(resolution) / resolution) * (SUMS.at(-1) ?? 0)
  let low = 0
  let high = SUMS.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((SUMS[middle] ?? 0) > wanted) high = middle
    else low = middle + 1
  }
  return VOCABULARY[low] ?? ''
}

/** The text of post `n` of `count`. */
function makeText(n: number, count: number, random: Random): string {
  const words = Array.from({ length: WORDS_PER_POST }, () => drawWord(random))
  if (n < count / 2 && random.below(4) === 0) words[random.below(WORDS_PER_POST)] = OLD_WORD
  return words.join(' ')
}

function makePost(n: number, count: number, random: Random): ImportedPost {
  const time = FIRST_TIME + Math.floor(((LAST_TIME - FIRST_TIME) * n) / count / 1000) * 1000
  const text = makeText(n, count, random)
  const link = `https://example.org/${n}`
  const hasLink = n % 7 === 0
  return {
    id: String(FIRST_ID + n),
    visibility: 'public',
    kind: 'post',
    text: hasLink ? `${text} ${link}` : text,
    entities: hasLink
      ? [{ type: 'url', start: text.length + 1, end: text.length + 1 + link.length, href: link }]
      : [],
    createdAt: new Date(time).toISOString(),
    media: [],
    counts: { likes: n % 100, reposts: n % 10, replies: null, quotes: null },
    sensitive: false,
    source: 'x_archive'
  }
}

/** What was imported. */
export interface Filled {
  seconds: number
  /** In how many posts each word is. */
  frequency: ReadonlyMap<string, number>
}

/** Imports posts as the import command does, in a process that ends. */
export async function fill(
  checkout: string,
  storageFlags: readonly string[],
  count: number
): Promise<Filled> {
  const args = ['up', 'statuses', '--json', '--quiet', '--port-base=0', ...storageFlags]
  const contender = await startProbed(checkout, args)
  const { console, token } = parseReadyLine(contender.greeting)
  const send = (step: string, body: object) =>
    sendTo(`${console}/statuses/import/${step}`, token, body)
  const started = performance.now()
  for (const [index, userName] of USER_NAMES.entries()) {
    const facts = { id: String(index + 1), userName, name: userName, bio: '', formerNames: [] }
    await send('account', {
      account: { ...facts, source: 'x_archive' },
      newAccount: false,
      dryRun: false
    })
  }
  const random = createRandom(count)
  const frequency = new Map<string, number>()
  for (let from = 0, batch = 0; from < count; from += MAX_BATCH_POSTS, batch++) {
    const size = Math.min(MAX_BATCH_POSTS, count - from)
    const posts = Array.from({ length: size }, (_, n) => makePost(from + n, count, random))
    for (const { text } of posts) {
      for (const word of new Set(text.split(' ')))
        frequency.set(word, (frequency.get(word) ?? 0) + 1)
    }
    const account = batch % BATCHES_PER_TURN === 0 ? '2' : '1'
    await send('posts', { account, posts, dryRun: false })
  }
  await send('end', { account: '1' })
  const seconds = (performance.now() - started) / 1000
  await contender.stop()
  return { seconds, frequency }
}

/**
 * Copies imported posts under further ids until there are `count`, in the file of a service that
 * does not run: importing a million posts would take longer than all measurements. The copies are
 * not in the tables of months and of texts to search, which redirects do not read. Returns seconds.
 */
export function copyPosts(folder: string, imported: number, count: number): number {
  const started = performance.now()
  const database = new DatabaseSync(join(folder, 'statuses.sqlite'))
  const columns = database.prepare('select name from pragma_table_info(?)').all('posts')
  const names = columns.map(({ name }) => String(name))
  const replaced: Readonly<Record<string, string>> = {
    id: `cast(${FIRST_ID} + n as text)`,
    sort_key: `printf('%019d', ${FIRST_COPIED_KEY} + n)`
  }
  const values = names.map((name) => replaced[name] ?? `posts.${name}`)
  database.exec(`
    insert into posts (${names.join()})
    with recursive numbers (n) as (select ${imported} union all select n + 1 from numbers where n + 1 < ${count})
    select ${values.join()} from numbers
    join posts on posts.id = cast(${FIRST_ID} + n % ${imported} as text)`)
  database.close()
  return (performance.now() - started) / 1000
}

async function sendTo(url: string, token: string | undefined, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` })
    },
    body: JSON.stringify(body)
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`)
}
