import type { Answer } from '../support/contract.ts'
import type { ContentBoard } from './cards-content-board.ts'
import { seen } from './statuses-site.ts'

const PATHS = [
  '',
  '/cards',
  '/cards?q=secret',
  '/cards?q=shown',
  '/cards?list=Draft',
  '/cards?sort=-updated&limit=1',
  '/cards/shown',
  '/cards/secret',
  '/feed.xml',
  '/feed.json',
  '/openapi.json'
]

/** Everything that the public sees of a board, with its key and without one. */
export async function publicView(board: ContentBoard): Promise<object[]> {
  const views: object[] = []
  for (const token of [board.key, '']) {
    for (const path of PATHS) {
      const read = (headers: Record<string, string> = {}): Promise<Answer> =>
        board.site.ask(`/content/${board.slug}${path}`, {
          headers,
          ...(token !== '' && { token })
        })
      const first = await read()
      const etag = first.headers.get('etag')
      views.push(seen(first))
      if (etag !== null) views.push(seen(await read({ 'if-none-match': etag })))
    }
  }
  return views
}
