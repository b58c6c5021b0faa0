import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDatabase } from '../../src/kernel/database/open.ts'
import {
  browseSitemap,
  browseSitemapPart
} from '../../src/services/statuses/feeds/browse-sitemap.ts'
import type { ImportedPost } from '../../src/services/statuses/import/protocol.ts'
import { migrations } from '../../src/services/statuses/store/migrations.ts'
import { statusStore } from '../../src/services/statuses/store/store.ts'
import { post } from '../contract/statuses-site.ts'
import { ENGINES, temporaryPlace } from '../support/engines.ts'

const SITE = { name: 'Posts', baseUrl: 'https://posts.example' }
/** The limits of the protocol are 50,000 URLs and ours 10,000 posts. */
const LIMITS = { urls: 8, posts: 3 }

function postOf(id: number): ImportedPost {
  return post(String(id), { visibility: id === 5 ? 'hidden' : 'public' })
}

for (const engine of ENGINES) {
  describe(`The sitemap, on ${engine}`, () => {
    test('beyond the limit there is an index, whose parts have each public post once', async () => {
      await using place = temporaryPlace(engine)
      const database = await openDatabase(place, { service: 'statuses', migrations })
      const store = statusStore(
        database,
        () => new Date(),
        () => {}
      )
      const bodyOf = (browsed: Awaited<ReturnType<typeof browseSitemap>>) =>
        browsed?.kind === 'content' ? browsed.body : undefined
      const pathsIn = (body = '') =>
        [...body.matchAll(/<loc>https:\/\/posts\.example([^<]*)<\/loc>/g)].map(([, path]) => path)
      try {
        const account = { userName: 'ada', name: '', bio: '', formerNames: [] }
        await store.importAccount({
          account: { ...account, id: '12', source: 'x_archive' },
          newAccount: false,
          dryRun: false
        })
        const ids = [1, 2, 3, 4, 5, 6, 7]
        await store.importPosts('12', ids.map(postOf), false)
        // Six posts, a profile and a month are in one file.
        assert.equal(pathsIn(bodyOf(await browseSitemap(store, SITE, LIMITS))).length, 8)
        assert.equal(await browseSitemapPart(store, SITE, 0, LIMITS), undefined)
        await store.importPosts('12', [8].map(postOf), false)
        const index = bodyOf(await browseSitemap(store, SITE, LIMITS))
        assert.match(index ?? '', /<sitemapindex /)
        assert.deepEqual(
          pathsIn(index),
          [0, 1, 2, 3].map((part) => `/sitemap-${part}.xml`)
        )
        const parts = await Promise.all(
          [0, 1, 2, 3].map(async (part) =>
            pathsIn(bodyOf(await browseSitemapPart(store, SITE, part, LIMITS)))
          )
        )
        const status = (id: number) => `/ada/status/${id}`
        assert.deepEqual(parts, [
          ['/ada', '/ada/archive/2009/03'],
          [1, 2, 3].map(status),
          [4, 6, 7].map(status),
          [8].map(status)
        ])
        assert.equal(await browseSitemapPart(store, SITE, 4, LIMITS), undefined)
      } finally {
        await database.close()
      }
    })
  })
}
