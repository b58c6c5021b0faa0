import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { StartFailure } from '../../../kernel/failures.ts'
import type { Outbound } from '../../../kernel/outbound.ts'
import type { ReadText } from './load.ts'

export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
const FETCH_TIMEOUT_MS = 20_000
const MAX_REDIRECTS = 5

export interface ReadOptions {
  /** Whether references may leave the folder or the origin of the document. */
  allowsRemote: boolean
  fetch: Outbound['fetch']
}

/** A path as typed, or an address. */
export function toAddress(text: string): URL {
  return /^https?:\/\//i.test(text) ? new URL(text) : pathToFileURL(text)
}

/**
 * A document from elsewhere must not make us read files of this machine, nor a local one call
 * strangers, unless the operator says so.
 */
export function createReadText(root: URL, options: ReadOptions): ReadText {
  return async (address) => {
    const isOwn = address.href === root.href
    if (!isOwn && !isNear(address, root, options)) {
      throw new StartFailure(`${address.href} is not allowed: see --allow-remote-refs`)
    }
    return address.protocol === 'file:' ? readLocal(address) : readRemote(address, options)
  }
}

function isNear(address: URL, root: URL, { allowsRemote }: ReadOptions): boolean {
  if (address.protocol === 'file:') return root.protocol === 'file:'
  if (address.protocol !== 'http:' && address.protocol !== 'https:') return false
  return allowsRemote || address.origin === root.origin
}

export async function readLocal(address: URL): Promise<string> {
  const path = fileURLToPath(address)
  try {
    const { size } = await stat(path)
    if (size > MAX_DOCUMENT_BYTES) throw new StartFailure(tooLarge(path))
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof StartFailure) throw error
    throw new StartFailure(`${path} cannot be read: ${reasonOf(error)}`, { cause: error })
  }
}

async function readRemote(address: URL, { fetch }: ReadOptions): Promise<string> {
  const request = { method: 'GET', timeoutMs: FETCH_TIMEOUT_MS, maxBytes: MAX_DOCUMENT_BYTES }
  try {
    let { href } = address
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const answer = await fetch(href, request)
      const target = answer.headers.get('location')
      if (answer.status < 300 || answer.status >= 400 || target === null) {
        if (!answer.ok) throw new StartFailure(`${address.href} returned status ${answer.status}`)
        return await answer.text()
      }
      href = new URL(target, href).href
    }
    throw new StartFailure(`${address.href} redirects too often`)
  } catch (error) {
    if (error instanceof StartFailure) throw error
    throw new StartFailure(`${address.href} cannot be fetched: ${reasonOf(error)}`, {
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
