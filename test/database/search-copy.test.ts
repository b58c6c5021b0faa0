/** Copies of a service's data contain its search tables; the index is made anew on the way. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { copy } from '../../src/host/archive.ts'
import type { Engine } from '../../src/kernel/database/database.ts'
import { type DatabaseLocation, dropSchema, openDatabase } from '../../src/kernel/database/open.ts'
import { findDocuments } from '../../src/kernel/search/find-documents.ts'
import { parseQuery } from '../../src/kernel/search/parse-query.ts'
import { searchMigration, writeDocuments } from '../../src/kernel/search/table.ts'
import { ENGINES, postgresUrl } from '../support/engines.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { documentOf, expectedKeys, OPERATORS, QUERIES, TEXTS } from './search-texts.ts'

const SCHEMA = { service: 'things', migrations: [searchMigration('text_search')] }
const OPTIONS = { progress: () => {}, services: [{ name: 'things', ...SCHEMA }] }
const DOCUMENTS = TEXTS.map(documentOf)

function openStorage(engine: Engine, suffix: string) {
  const folder = temporaryFolder()
  const file = join(folder.path, 'things.sqlite')
  const schema = `nonet_things_${suffix}`
  const location: DatabaseLocation =
    engine === 'sqlite'
      ? { engine, file, durable: true }
      : { engine, url: postgresUrl(), schema, durable: true }
  const database = engine === 'sqlite' ? undefined : postgresUrl()
  return {
    location,
    storage: { folder: folder.path, ephemeral: false, database, suffix },
    async [Symbol.asyncDispose]() {
      if (location.engine === 'postgres') await dropSchema(location)
      folder[Symbol.dispose]()
    }
  }
}

for (const from of ENGINES) {
  for (const to of ENGINES) {
    test(`a copy from ${from} to ${to} finds the same documents`, async () => {
      await using source = openStorage(from, `search_${from}_${to}_1`)
      await using target = openStorage(to, `search_${from}_${to}_2`)
      const filled = await openDatabase(source.location, SCHEMA)
      await filled.write(() => writeDocuments('text_search', DOCUMENTS))
      await copy(source.storage, target.storage, OPTIONS)
      await filled.close()
      const copied = await openDatabase(target.location, SCHEMA)
      for (const text of QUERIES) {
        const query = parseQuery(text, OPERATORS)
        const { sortKeys } = await copied.read(() =>
          findDocuments(to, 'text_search', query, { limit: 100 })
        )
        assert.deepEqual(sortKeys, expectedKeys(DOCUMENTS, query), text)
      }
      await copied.close()
    })
  }
}
