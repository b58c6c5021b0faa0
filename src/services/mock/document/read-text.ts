import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { UserError } from '../../../kernel/errors.ts'
import type { Outbound } from '../../../kernel/outbound.ts'
import type { ReadText } from './load.ts'

export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
const FETCH_TIMEOUT_MS = 20_000
const MAX_REDIRECTS = 5

export interface ReadOptions {
  /** Whether references to other origins are allowed. */
  allowsRemote: boolean
  fetch: Outbound['fetch']
}

/** Converts a path as typed, or a URL. */
export function toUrl(text: string): URL {
  return /^https?:\/\//i.test(text) ? new URL(text) : pathToFileURL(text)
}

/**
 * A remote document must not read files of this machine. A document must not fetch URLs of other
 * origins unless the operator allows it.
 */
export function createReadText(root: URL, options: ReadOptions): ReadText {
  return async (url) => {
    const isOwn = url.href === root.href
    if (!isOwn && !isNear(url, root, options)) {
      throw new UserError(`${url.href} is not allowed: see --allow-remote-refs`)
    }
    return url.protocol === 'file:' ? readLocal(url) : readRemote(url, options)
  }
}

function isNear(url: URL, root: URL, { allowsRemote }: ReadOptions): boolean {
  if (url.protocol === 'file:') return root.protocol === 'file:'
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false
  return allowsRemote || url.origin === root.origin
}

export async function readLocal(url: URL): Promise<string> {
  const path = fileURLToPath(url)
  try {
    const { size } = await stat(path)
    if (size > MAX_DOCUMENT_BYTES) throw new UserError(tooLarge(path))
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${path} cannot be read: ${reasonOf(error)}`, { cause: error })
  }
}

async function readRemote(url: URL, { fetch }: ReadOptions): Promise<string> {
  const request = { method: 'GET', timeoutMs: FETCH_TIMEOUT_MS, maxBytes: MAX_DOCUMENT_BYTES }
  try {
    let { href } = url
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const response = await fetch(href, request)
      const target = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || target === null) {
        if (!response.ok) throw new UserError(`${url.href} returned status ${response.status}`)
        return await response.text()
      }
      href = new URL(target, href).href
    }
    throw new UserError(`${url.href} redirects too often`)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${url.href} cannot be fetched: ${reasonOf(error)}`, {
      cause: error
    })
  }
}

function tooLarge(name: string): string {
  return `${name} is larger than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MiB`
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'ENOENT') return 'file not found'
  return error.cause instanceof Error ? error.cause.message : error.message
}
