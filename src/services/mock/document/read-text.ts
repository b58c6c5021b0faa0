import { readdir, readFile, stat } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { UserError } from '../../../kernel/errors.ts'
import { type Outbound, OutboundError } from '../../../kernel/outbound.ts'
import type { ReadBytes } from './external-examples.ts'
import type { ReadText } from './load.ts'
import {
  createPermitFile,
  filePathOf,
  type PermitFile,
  ReferenceRefused
} from './reference-folders.ts'

export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
const FETCH_TIMEOUT_MS = 20_000
const MAX_REDIRECTS = 5
const MAX_SHOWN_FILES = 5

export interface ReadOptions {
  /** Whether references to other origins are allowed. */
  allowsRemote: boolean
  /** Whether a local document may refer to files outside its folder and the working folder. */
  allowsOutside: boolean
  /** Overlays and patches that the operator named; references may lead into their folders too. */
  amendments?: readonly URL[]
  fetch: Outbound['fetch']
}

/** Converts a path as typed, or a URL. */
export function toUrl(text: string): URL {
  if (!/^https?:\/\//i.test(text)) return pathToFileURL(text)
  const url = URL.parse(text)
  if (url === null) throw new UserError(`${text} is not a valid URL`)
  return url
}

/**
 * A remote document must not read files of this machine, and a local one only those below its
 * folder. A document must not fetch URLs of other origins. The operator may allow the last two.
 */
export function createReadText(root: URL, options: ReadOptions): ReadText {
  const readBytes = createReadBytes(root, options)
  return async (url) => (await readBytes(url)).toString('utf8')
}

export function createReadBytes(root: URL, options: ReadOptions): ReadBytes {
  const permit = options.allowsOutside
    ? undefined
    : createPermitFile([root, ...(options.amendments ?? [])])
  return async (url) => {
    const isNamed = url.href === root.href
    if (!isNamed) judge(url, root, options)
    if (url.protocol === 'file:') return isNamed ? readNamedFile(url) : readReferenced(url, permit)
    return readRemote(url, options.fetch, (target) =>
      isNamed ? judgeScheme(target) : judge(target, root, options)
    )
  }
}

function judge(url: URL, root: URL, { allowsRemote }: ReadOptions): void {
  if (url.protocol === 'file:' && root.protocol === 'file:') return
  judgeScheme(url)
  if (allowsRemote || url.origin === root.origin) return
  throw new ReferenceRefused(
    `${url.href} has another origin than the document; allow such references with --allow-remote-refs`
  )
}

function judgeScheme({ href, protocol }: URL): void {
  if (protocol === 'http:' || protocol === 'https:') return
  throw new ReferenceRefused(
    protocol === 'file:'
      ? `${href} is a file, which a remote document must not refer to`
      : `${href} is neither a file nor an http or https URL`
  )
}

/** Reads a file that the operator named, which may also be a pipe. */
export async function readLocal(url: URL): Promise<string> {
  return (await readNamedFile(url)).toString('utf8')
}

async function readNamedFile(url: URL): Promise<Buffer> {
  const path = pathIn(url)
  return readNamed(path, async () => path)
}

function readReferenced(url: URL, permit: PermitFile | undefined): Promise<Buffer> {
  const path = pathIn(url)
  return readNamed(path, async () => {
    const real = (await permit?.(path)) ?? path
    if (!(await stat(real)).isFile()) throw new UserError(`${path} is not a file`)
    return real
  })
}

function pathIn({ href }: URL): string {
  const path = filePathOf(href)
  if (path === undefined) throw new ReferenceRefused(`${href} is not a file of this machine`)
  return path
}

async function readNamed(name: string, locate: () => Promise<string>): Promise<Buffer> {
  try {
    const path = await locate()
    const found = await stat(path)
    if (found.isDirectory()) throw new UserError(await explainFolder(name, path))
    const { size } = found
    if (size > MAX_DOCUMENT_BYTES) throw new UserError(tooLarge(name))
    return await readFile(path)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${name} cannot be read: ${reasonOf(error)}`, { cause: error })
  }
}

/** A folder cannot be read; says which of its files may have been meant. */
async function explainFolder(name: string, path: string): Promise<string> {
  const files = (await readdir(path)).filter((file) => /\.(?:ya?ml|json)$/i.test(file)).sort()
  const shown = files.slice(0, MAX_SHOWN_FILES).join(', ')
  const rest = files.length > MAX_SHOWN_FILES ? ', …' : ''
  const hint = files.length === 0 ? 'has no .yaml or .json files' : `contains ${shown}${rest}`
  return `${name} is a folder, not a file; it ${hint}`
}

/** Every redirect is judged by the rules of the first URL, and its IP address by `fetch`. */
async function readRemote(
  url: URL,
  fetch: Outbound['fetch'],
  judgeTarget: (target: URL) => void
): Promise<Buffer> {
  const request = { method: 'GET', timeoutMs: FETCH_TIMEOUT_MS, maxBytes: MAX_DOCUMENT_BYTES }
  try {
    let next = url
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const response = await fetch(next.href, request)
      const target = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || target === null) {
        if (!response.ok) throw new UserError(`${url.href} returned status ${response.status}`)
        return Buffer.from(await response.arrayBuffer())
      }
      next = new URL(target, next)
      judgeTarget(next)
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
  if (error instanceof OutboundError && error.code === 'ADDRESS_REFUSED') {
    return 'it leads to a private IP address'
  }
  if ('code' in error && error.code === 'ENOENT') return 'file not found'
  return error.cause instanceof Error ? error.cause.message : error.message
}
