import { readFile } from 'node:fs/promises'
import { UserError } from '../../../kernel/errors.ts'
import { objectsOf, stringOf } from './json/values.ts'
import type { AltTexts } from './parsed.ts'

interface Description {
  /** The key or URL of the medium; undefined if the file names only the post. */
  medium: string | undefined
  text: string
}

export const NO_ALT_TEXTS: AltTexts = { find: () => undefined }

/** Reads `[{ "tweet_id": …, "media_key" or "media_url": …, "alt_text": … }]`. */
export async function readAltTexts(path: string): Promise<AltTexts> {
  const byPost = new Map<string, Description[]>()
  for (const item of objectsOf(await readJson(path))) {
    const { tweet_id: post, media_key: key, media_url: url, alt_text: alt } = item
    const id = stringOf(post)
    const text = stringOf(alt)
    if (id === undefined || text === undefined) continue
    const description = { medium: stringOf(key) ?? stringOf(url), text }
    const others = byPost.get(id)
    if (others === undefined) byPost.set(id, [description])
    else others.push(description)
  }
  return {
    find(post, { url, id }) {
      const all = byPost.get(post) ?? []
      return all.find(({ medium }) => medium === undefined || isSame(medium, url, id))?.text
    }
  }
}

async function readJson(path: string): Promise<unknown> {
  const hint = 'it has to be [{"tweet_id": "…", "media_url": "…", "alt_text": "…"}]'
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    throw new UserError(`Cannot read --alt-text ${path}: ${(cause as Error).message}`, { cause })
  }
  if (Array.isArray(value)) return value
  throw new UserError(`Cannot read --alt-text ${path}: ${hint}`)
}

/** A key is `<type>_<id>`; URLs are compared by their file, without the ending and the size. */
function isSame(medium: string, url: string | undefined, id: string | undefined): boolean {
  if (id !== undefined && (medium === id || medium.endsWith(`_${id}`))) return true
  const stem = (text: string) => /([^/]+?)(?:\.\w+)?$/.exec(text.replace(/[?#:][^/]*$/, ''))?.[1]
  return url !== undefined && stem(medium) === stem(url)
}
