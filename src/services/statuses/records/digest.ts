import { createHash } from 'node:crypto'
import type { ImportedPost } from '../import/protocol.ts'

/** Equal for posts of which an import would change nothing. */
export function digestOf(post: ImportedPost): string {
  const { replyTo, counts } = post
  const parts = [
    [post.visibility, post.kind, post.text, post.lang, post.createdAt, post.editedAt],
    ...(post.importedVisibility === undefined ? [] : [post.importedVisibility]),
    ...(post.edits === undefined ? [] : [post.edits]),
    post.entities.map(({ type, start, end, href, display }) => [type, start, end, href, display]),
    post.media.map((medium) => [
      ...[medium.type, medium.file?.hash, medium.alt, medium.posterHash],
      ...[medium.width, medium.height, medium.durationMs, medium.bitrate, medium.sourceKey]
    ]),
    [replyTo?.id, replyTo?.userName, post.quotedId, post.quotedUrl],
    [counts.likes, counts.reposts, counts.replies, counts.quotes],
    [post.sensitive, post.summary, post.source, post.originalUrl, post.raw]
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
