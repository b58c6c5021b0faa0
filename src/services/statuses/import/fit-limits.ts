import { cutText } from '../../../kernel/cut-text.ts'
import type { ParsedAccount, ParsedPost } from './parsed.ts'
import { codePointsIn } from './text/text-builder.ts'

/** What the service stores at most, in characters; archives have more only if they are damaged. */
const MAX_NAME = 500
const MAX_BIO = 10_000
const MAX_LOCATION = 1_000
const MAX_TEXT = 500_000
const MAX_ENTITIES = 10_000
const MAX_MEDIA = 100
const MAX_SUMMARY = 10_000
const MAX_ALT = 50_000
const MAX_USER_NAME = 300
const MAX_FORMER_NAMES = 1_000

export function fitAccount(account: ParsedAccount): ParsedAccount {
  const { name, bio, location, formerNames } = account
  return {
    ...account,
    name: cutText(name, MAX_NAME),
    bio: cutText(bio, MAX_BIO),
    formerNames: formerNames.slice(0, MAX_FORMER_NAMES),
    ...(location !== undefined && { location: cutText(location, MAX_LOCATION) })
  }
}

export function fitPost(post: ParsedPost): ParsedPost {
  const text = cutText(post.text, MAX_TEXT)
  const length = text === post.text ? Number.POSITIVE_INFINITY : codePointsIn(text)
  const { summary, replyTo } = post
  const media = post.media.slice(0, MAX_MEDIA).map((medium) => {
    const { alt } = medium
    return alt === undefined ? medium : { ...medium, alt: cutText(alt, MAX_ALT) }
  })
  const userName = replyTo?.userName
  return {
    ...{ ...post, text, media },
    entities: post.entities.filter(({ end }) => end <= length).slice(0, MAX_ENTITIES),
    ...(summary !== undefined && { summary: cutText(summary, MAX_SUMMARY) }),
    ...(userName !== undefined && {
      replyTo: { ...replyTo, userName: cutText(userName, MAX_USER_NAME) }
    })
  }
}
