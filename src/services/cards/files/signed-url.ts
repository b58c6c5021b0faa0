import { parseExpiry } from '../../../kernel/credentials/expiry.ts'
import type { CardContext } from '../context.ts'
import { ObjectUnknown, PermissionMissing, RequestInvalid } from '../contract.ts'
import { downloadPath } from '../present/attachment.ts'
import type { Viewer } from '../records/viewer.ts'
import { findAttachment } from '../store/find.ts'

const PURPOSE = 'attachment URL'
const SECOND_MS = 1000
const MAX_DAYS = 7
const MAX_MS = MAX_DAYS * 24 * 3600 * SECOND_MS
const DEFAULT_EXPIRY = '1h'

type Context = Pick<CardContext, 'kernel' | 'store' | 'signing'>

export interface SignedUrlRequest {
  readonly viewer: Viewer
  /** Id of the board that the attachment must be on. */
  readonly board: string
  readonly attachment: string
  /** A duration such as `1h`, or a date; an hour if it is undefined. */
  readonly expires: unknown
  readonly baseUrl: string
}

export interface SignedUrl {
  readonly url: string
  /** ISO 8601. */
  readonly expires: string
}

/** A URL that downloads one file without a token until it expires. */
export async function createSignedUrl(
  { kernel, store, signing }: Context,
  { viewer, board, attachment, expires = DEFAULT_EXPIRY, baseUrl }: SignedUrlRequest
): Promise<SignedUrl> {
  if (viewer.kind !== 'member') throw new PermissionMissing()
  const seconds = readExpiry(expires, kernel.now().getTime())
  const row = await store.read(() => findAttachment(viewer, attachment))
  if (row.board !== board || row.hash === null) throw new ObjectUnknown()
  const path = downloadPath(row)
  const signature = await (await signing()).sign(PURPOSE, signedText(path, seconds))
  return {
    url: `${baseUrl}${path}?expires=${seconds}&signature=${signature}`,
    expires: new Date(seconds * SECOND_MS).toISOString()
  }
}

/** In Unix seconds, rounded up. */
function readExpiry(expires: unknown, now: number): number {
  const time = typeof expires === 'string' ? parseExpiry(expires, now) : undefined
  if (time !== undefined && time <= now + MAX_MS) return Math.ceil(time / SECOND_MS)
  throw new RequestInvalid(
    `expires must be a duration such as 1h or 7d, or a later date, at most ${MAX_DAYS} days from now`
  )
}

function signedText(path: string, seconds: number | string): string {
  return `${path}\n${seconds}`
}

/** Whether the signature is that of the path and has not expired. */
export async function isSigned(
  { kernel, signing }: Context,
  path: string,
  { expires, signature }: { expires: unknown; signature: unknown }
): Promise<boolean> {
  if (typeof expires !== 'string' || typeof signature !== 'string') return false
  if (!/^\d{1,12}$/.test(expires)) return false
  if (Number(expires) * SECOND_MS <= kernel.now().getTime()) return false
  return (await signing()).verify(PURPOSE, signedText(path, expires), signature)
}
