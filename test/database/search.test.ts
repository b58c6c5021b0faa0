/** One corpus, the same queries on both engines, compared with a search through lists of words. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Database } from '../../src/kernel/database/database.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { query } from '../../src/kernel/database/transaction.ts'
import { truncateAll } from '../../src/kernel/database/truncate.ts'
import { documentWords, type SearchDocument } from '../../src/kernel/search/document.ts'
import { findDocuments } from '../../src/kernel/search/find-documents.ts'
import { indexWord } from '../../src/kernel/search/index-words.ts'
import { parseQuery } from '../../src/kernel/search/parse-query.ts'
import {
  removeDocument,
  searchMigration,
  writeDocument,
  writeDocuments
} from '../../src/kernel/search/table.ts'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, type TemporaryPlace, temporaryPlace } from '../support/engines.ts'
import { createRandom, type Random } from '../support/random.ts'
import {
  documentOf,
  expectedKeys,
  matches,
  OPERATORS,
  QUERIES,
  QUERIES_WITHOUT_MATCH,
  TEXTS
} from './search-texts.ts'

const TABLE = 'text_search'
const DOCUMENTS = TEXTS.map(documentOf)

const VOCABULARY: readonly [string, ...string[]] = [
  ...(['a', 'b', 'ab', 'É', 'ß', 'ss', 'Σ', 'ς', 'ё', 'е', 'ك', 'كـ', 'हि', 'ह'] as const),
  ...(['日', '本', 'が', 'か', '한', '국', 'ก', '🎉', '1', '12', 'x', 'y1', 'z', '𝒳'] as const)
]

async function writeAll(database: Database, documents: readonly SearchDocument[]): Promise<void> {
  await database.write(() => writeDocuments(TABLE, documents))
}

/** All pages of a query. */
async function search(database: Database, text: string, limit = 50): Promise<string[]> {
  const parsed = parseQuery(text, OPERATORS)
  const found: string[] = []
  for (let before: string | undefined; ; ) {
    const page = await database.read(() =>
      findDocuments(database.engine, TABLE, parsed, { limit, before })
    )
    found.push(...page.sortKeys)
    if (page.next === undefined) return found
    assert.equal(page.sortKeys.length, limit)
    if (before !== undefined) assert.ok(page.next < before, 'the pages do not advance')
    before = page.next
  }
}

/** Each word of a document with its position from 0, as the engine stored it. */
async function storedWords(database: Database, sortKey: string): Promise<string[]> {
  const sql =
    database.engine === 'sqlite'
      ? `select term, "offset" as position from temp.positions where doc = cast(? as integer)`
      : `select lexeme as term, unnest(positions) - 1 as position
         from ${TABLE}, unnest(vector) where sort_key = ?`
  const rows = await database.write(function* () {
    if (database.engine === 'sqlite') {
      yield* query(
        `create virtual table if not exists temp.positions using fts5vocab(main, ${TABLE}_index, instance)`
      )
    }
    return yield* query<{ term: string; position: number }>(sql, sortKey)
  })
  return rows.toSorted((a, b) => a.position - b.position).map(({ term }) => term)
}

const CASES: Readonly<Record<string, (database: Database) => Promise<void>>> = {
  async 'finds the expected documents, newest first, in pages of any size'(database) {
    await writeAll(database, DOCUMENTS)
    assert.ok(QUERIES.length >= 60)
    for (const text of QUERIES) {
      const expected = expectedKeys(DOCUMENTS, parseQuery(text, OPERATORS))
      assert.notEqual(expected.length, 0, text)
      assert.deepEqual(await search(database, text), expected, text)
      assert.deepEqual(await search(database, text, 2), expected, text)
    }
    for (const text of QUERIES_WITHOUT_MATCH) {
      assert.deepEqual(expectedKeys(DOCUMENTS, parseQuery(text, OPERATORS)), [], text)
      assert.deepEqual(await search(database, text), [], text)
    }
  },

  async 'stores each word unchanged at its position'(database) {
    const texts = TEXTS.filter(([first = '']) => !first.startsWith('echo'))
    const documents = texts.map(documentOf)
    await writeAll(database, documents)
    for (const { sortKey, texts } of documents) {
      const expected = (documentWords(texts)[0] ?? []).map((word) => indexWord(word ?? ''))
      const stored = await storedWords(database, sortKey)
      assert.deepEqual(stored.slice(0, expected.length), expected)
    }
  },

  async 'random texts and queries'(database) {
    const random = createRandom(17)
    const documents = Array.from({ length: 150 }, (_, index) =>
      documentOf([randomText(random, 12), randomText(random, 4)], index + 1)
    )
    await writeAll(database, documents)
    for (let round = 0; round < 100 * EFFORT; round++) {
      const text = randomQuery(random)
      const expected = expectedKeys(documents, parseQuery(text, OPERATORS))
      assert.deepEqual(await search(database, text, 1 + random.below(60)), expected, text)
    }
  },

  async 'changed and removed documents are found by their present words only'(database) {
    const [one, two] = [documentOf(['alpha beta'], 1), documentOf(['beta gamma'], 2)]
    await writeAll(database, [one, two, two])
    const changed = { ...one, texts: ['delta'], time: Date.UTC(1999, 0) }
    await database.write(() => writeDocument(TABLE, changed))
    assert.deepEqual(await search(database, 'alpha'), [])
    assert.deepEqual(await search(database, 'delta until:1999'), [one.sortKey])
    assert.deepEqual(await search(database, 'beta'), [two.sortKey])
    await database.write(() => removeDocument(TABLE, two.sortKey))
    assert.deepEqual(await search(database, 'beta'), [])
    await truncateAll(database)
    assert.deepEqual(await search(database, 'since:1900'), [])
    await writeAll(database, [two])
    assert.deepEqual(await search(database, 'gamma'), [two.sortKey])
  },

  async 'more matches than are read first, and none among the newest'(database) {
    const documents = Array.from({ length: 1_500 }, (_, index) =>
      documentOf([index < 1_200 ? 'new' : 'old times'], index + 1)
    )
    await writeAll(database, documents)
    for (const text of ['new', 'old', '"old times"', 'since:1900', 'since:1900 -new']) {
      const expected = expectedKeys(documents, parseQuery(text, OPERATORS))
      assert.ok(expected.length >= 300)
      assert.deepEqual(await search(database, text, 100), expected, text)
    }
  },

  async 'the largest texts and the first and last sort keys'(database) {
    const keys = ['0000000000000000000', '9223372036854775807'] as const
    const long = Array.from({ length: 20_000 }, (_, index) => `${index}ж`).join(' ')
    const documents = keys.map((sortKey) => ({ ...documentOf([long, 'end'], 1), sortKey }))
    await writeAll(database, documents)
    for (const text of ['7ж', '"7ж 8ж"', 'since:1900', '14999ж', '15000ж', 'end']) {
      const isFound = documents[0] && matches(documents[0], parseQuery(text, OPERATORS))
      const expected = isFound ? keys.toReversed() : []
      assert.deepEqual(await search(database, text, 1), expected, text)
    }
    for (const sortKey of ['1', '9223372036854775808', '000000000000000000a']) {
      await assert.rejects(writeAll(database, [{ ...documentOf([], 1), sortKey }]), RangeError)
    }
  }
}

function randomText(random: Random, most: number): string {
  const size = random.below(most)
  const text = Array.from({ length: size }, () => random.pick(VOCABULARY))
  return text.join(random.pick([' ', ' ', '-', '']))
}

function randomQuery(random: Random): string {
  const term = () =>
    random.pick([
      () => random.pick(VOCABULARY),
      () => `"${random.pick(VOCABULARY)} ${random.pick(VOCABULARY)}"`,
      () => `${random.pick(VOCABULARY)}${random.pick(VOCABULARY)}`,
      () => `from:${random.pick(['ada', 'BOB', 'eve'])}`,
      () => `has:${random.pick(['media', 'link'])}`
    ])()
  const date = `${random.pick(['since', 'until'])}:200${1 + random.below(9)}`
  const excluded = random.below(3) === 0 ? [`-${term()}`] : []
  const dates = random.below(4) === 0 ? [date] : []
  return [term(), ...(random.below(3) === 0 ? [term()] : []), ...excluded, ...dates].join(' ')
}

for (const engine of ENGINES) {
  describe(`search on ${engine}`, () => {
    let place: TemporaryPlace
    let database: Database

    before(async () => {
      place = temporaryPlace(engine)
      database = await openDatabase(place, {
        service: 'things',
        migrations: [searchMigration(TABLE)]
      })
    })
    beforeEach(() => truncateAll(database))
    after(async () => {
      await database.close()
      await place[Symbol.asyncDispose]()
    })

    for (const [name, run] of Object.entries(CASES)) test(name, () => run(database))
  })
}
