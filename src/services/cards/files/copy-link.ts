import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { isForwarded } from '../../../kernel/forwarded.ts'
import { IMAGE_LIMITS } from '../../../kernel/images/limits.ts'
import { OutboundError } from '../../../kernel/outbound.ts'
import type { CardContext } from '../context.ts'
import { BodyTooLarge, LinkNotCopied } from '../contract.ts'
import type { StoredUpload } from '../records/stored-upload.ts'
import { webUrl } from '../records/web-url.ts'
import { storeUpload } from './store-upload.ts'

const MAX_HOPS = 5
const TIMEOUT_MS = 15_000

/** Downloads what the link leads to; each redirect is checked like the link. */
export async function copyLink(
  context: CardContext,
  url: string,
  raw: IncomingMessage
): Promise<StoredUpload> {
  const bytes = await download(context, url, isForwarded(raw))
  const path = join(context.uploadFolder, `${randomUUID()}.part`)
  await mkdir(context.uploadFolder, { recursive: true, mode: 0o700 })
  try {
    await writeFile(path, bytes, { mode: 0o600 })
    return await storeUpload(context, { path, name: nameOf(url), size: bytes.length })
  } finally {
    await rm(path, { force: true })
  }
}

async function download(
  { kernel, options }: CardContext,
  first: string,
  forwarded: boolean
): Promise<Buffer> {
  // The response is in memory, so it may be smaller than an upload.
  const maxBytes = Math.min(options.maxFileBytes, IMAGE_LIMITS.bytes)
  let url = first
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const request = { method: 'GET', timeoutMs: TIMEOUT_MS, maxBytes, forwarded }
    const response = await kernel.outbound.fetch(url, request).catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error
      throw error.code === 'TOO_LARGE' ? new BodyTooLarge(maxBytes) : new LinkNotCopied(error.code)
    })
    if (response.status === 200) return Buffer.from(await response.arrayBuffer())
    const next = redirectOf(response, url)
    if (next === undefined) throw new LinkNotCopied(`status ${response.status}`)
    url = next
  }
  throw new LinkNotCopied('too many redirects')
}

function redirectOf({ status, headers }: Response, base: string): string | undefined {
  const location = headers.get('location')
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return undefined
  return URL.canParse(location, base) ? webUrl(new URL(location, base).href) : undefined
}

function nameOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
