import { UserError } from '../../../../kernel/errors.ts'
import type { Archive } from '../archive/open-archive.ts'
import type { PostSource, SourceOptions } from '../parsed.ts'
import { readActor } from './account.ts'
import { parseActivity } from './post.ts'

/** Reads everything but the posts of an archive of Mastodon. */
export async function openMastodonSource(
  archive: Archive,
  options: SourceOptions
): Promise<PostSource> {
  const outboxes = archive.find('outbox.json')
  if (outboxes.length === 0) {
    throw new UserError('The archive has no posts: none of its files is called outbox.json')
  }
  const actor = await readActor(archive, options)
  const context = { archive, actor, altTexts: options.altTexts }
  return {
    account: actor.account,
    files: outboxes.map((entry) => ({ entry, array: { member: 'orderedItems' } })),
    hiddenBecause: undefined,
    inspect: () => undefined,
    warnings: () => [],
    parse: ({ value }) => parseActivity(value, context)
  }
}
