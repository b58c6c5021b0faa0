import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDatabase } from '../../src/kernel/database/open.ts'
import type { ImportedAccount } from '../../src/services/statuses/import/protocol.ts'
import {
  parseSearch,
  readAccountByName,
  readAccounts,
  readMonths,
  searchPosts
} from '../../src/services/statuses/store/browse.ts'
import { migrations } from '../../src/services/statuses/store/migrations.ts'
import { readPostContext } from '../../src/services/statuses/store/post-context.ts'
import { statusStore } from '../../src/services/statuses/store/store.ts'
import { post } from '../contract/statuses-site.ts'
import { ENGINES, temporaryPlace } from '../support/engines.ts'

const ADA: ImportedAccount = {
  id: '12',
  userName: 'Ada',
  name: 'Ada Lovelace',
  bio: '',
  formerNames: [{ userName: 'countess', endedAt: '2012-01-01T00:00:00.000Z' }],
  source: 'x_archive'
}

for (const engine of ENGINES) {
  describe(`Posts in tables, on ${engine}`, () => {
    test('an import is repeated without a change, and a change adjusts months and search', async () => {
      await using place = temporaryPlace(engine)
      const database = await openDatabase(place, { service: 'statuses', migrations })
      let changes = 0
      const store = statusStore(
        database,
        () => new Date(),
        () => changes++
      )
      const account = { account: ADA, newAccount: false, dryRun: false }
      const resultOf = async (request: typeof account) => {
        const outcome = await store.importAccount(request)
        return 'response' in outcome ? outcome.response : undefined
      }
      try {
        assert.deepEqual(await resultOf({ ...account, dryRun: true }), {
          id: '12',
          result: 'added'
        })
        assert.deepEqual(await resultOf(account), { id: '12', result: 'added' })
        assert.deepEqual(await resultOf(account), { id: '12', result: 'unchanged' })
        const posts = [
          post('20'),
          post('21', { replyTo: { id: '20' }, text: 'Second thought' }),
          post('22', { replyTo: { id: '21' }, quotedId: '20' }),
          post('23', { visibility: 'hidden', text: 'secret thought' }),
          post('20', { text: 'Post 20 again' })
        ]
        const import_ = (dryRun = false) => store.importPosts('12', posts.slice(0, 4), dryRun)
        const added = ['added', 'added', 'added', 'added']
        assert.deepEqual(await import_(true), added)
        assert.deepEqual(await import_(), added)
        assert.deepEqual(await import_(), added.fill('unchanged'))
        assert.equal(changes, 1)
        const found = await store.read(() => readPostContext('21'))
        assert.deepEqual(
          [found?.earlier, found?.later].map((list) => list?.map(({ id }) => id)),
          [['20'], ['22']]
        )
        assert.equal(await store.read(() => readPostContext('23')), undefined)
        const months = () => store.read(() => readMonths('12'))
        assert.deepEqual(
          (await months()).map(({ month, posts: count }) => [month, count]),
          [['2009-03', 3]]
        )
        const search = async (text: string) => {
          const query = parseSearch(text)
          const page = await store.read(() => searchPosts(engine, query, { limit: 10 }))
          return page.posts.map(({ id }) => id)
        }
        assert.deepEqual(await search('thought'), ['21'])
        assert.deepEqual(await search('from:@COUNTESS text'), ['22', '20'])
        assert.deepEqual(await search('from:nemo text'), [])
        assert.deepEqual(
          await store.importPosts(
            '12',
            [post('21', { visibility: 'hidden' }), ...posts.slice(4)],
            false
          ),
          ['updated', 'updated']
        )
        assert.deepEqual(await search('thought'), [])
        assert.deepEqual(await search('again'), ['20'])
        assert.equal((await months())[0]?.posts, 2)
        await store.importAccount({
          ...account,
          account: { ...ADA, userName: 'Lovelace', formerNames: [] }
        })
        const named = await store.read(() => readAccountByName('ADA'))
        assert.deepEqual([named?.account.userName, named?.isCurrent], ['Lovelace', false])
        const other = { ...ADA, id: '13', userName: 'lovelace', formerNames: [] }
        assert.deepEqual(await store.importAccount({ ...account, account: other }), {
          taken: '12'
        })
        await store.importAccount({ ...account, account: other, newAccount: true })
        const accounts = await store.read(() => readAccounts(10))
        assert.deepEqual(
          accounts.map(({ account: one, posts: count }) => [one.userName, count]),
          [['Lovelace_12', 2]]
        )
      } finally {
        await database.close()
      }
    })
  })
}
