import { type ExportedLine, FIRST_LINE } from '../records/exported.ts'
import {
  type ExportedVisibility,
  readExportAccounts,
  readExportPage
} from '../store/export-posts.ts'
import type { StatusStore } from '../store/store.ts'

const FIRST_SORT_KEY = ''

/** The lines of an exported file. Each page is a read of its own, so that memory is bounded. */
export async function* archiveLines(
  store: StatusStore,
  visibilities: readonly ExportedVisibility[]
): AsyncGenerator<string> {
  yield lineOf(FIRST_LINE)
  const accounts = await store.read(readExportAccounts)
  let count = 0
  for (const account of accounts) {
    yield lineOf({ account } satisfies ExportedLine)
    for (let after: string | undefined = FIRST_SORT_KEY; after !== undefined; ) {
      const from: string = after
      const page = await store.read(() => readExportPage(account.id, from, visibilities))
      for (const post of page.posts) yield lineOf({ post } satisfies ExportedLine)
      count += page.posts.length
      after = page.last
    }
  }
  yield lineOf({ end: { accounts: accounts.length, posts: count } } satisfies ExportedLine)
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`
}
