import { invalidInput } from '../contract.ts'
import { readImages } from './read-images.ts'
import type { MessageTexts, TextType } from './read-texts.ts'
import type { MailSession } from './session.ts'
import type { MessageParts } from './structure.ts'

/** How HTML is prepared to be shown. */
export interface PrepareOptions {
  /** Implies the next two, and all types of text. */
  readonly webSafeHtml?: boolean
  readonly preProcessHtml?: boolean
  readonly embedAttachedImages?: boolean
  readonly remoteImages?: 'keep' | 'block'
}

export interface PreparedTexts extends MessageTexts {
  /** Whether the HTML can be put into a page. */
  readonly webSafe?: true
}

export function checkPrepareOptions({
  webSafeHtml,
  preProcessHtml,
  remoteImages
}: PrepareOptions): void {
  if (remoteImages === undefined || webSafeHtml === true || preProcessHtml === true) return
  throw invalidInput([{ key: 'remoteImages', message: 'needs webSafeHtml or preProcessHtml' }])
}

/** Types of text that must be read: HTML may be made of plain text. */
export function typesToRead(
  { webSafeHtml, preProcessHtml, embedAttachedImages }: PrepareOptions,
  textType: TextType | undefined
): TextType | undefined {
  if (webSafeHtml === true || (preProcessHtml === true && textType !== 'plain')) return '*'
  return textType ?? (embedAttachedImages === true ? '*' : undefined)
}

interface TextsToPrepare {
  readonly texts: MessageTexts
  readonly parts: MessageParts
  readonly query: PrepareOptions & { readonly textType?: TextType | undefined }
}

export async function prepareHtml(
  session: MailSession,
  uid: number,
  { texts, parts, query }: TextsToPrepare
): Promise<PreparedTexts> {
  const isSafe = query.webSafeHtml === true || query.preProcessHtml === true
  const embeds = query.webSafeHtml === true || query.embedAttachedImages === true
  const { plain, html } = texts
  const wanted = query.webSafeHtml === true ? '*' : (query.textType ?? '*')
  if (wanted === 'plain' || (!isSafe && !embeds)) return texts
  const images =
    embeds && html !== undefined ? await readImages(session, uid, html, parts) : undefined
  if (!isSafe) {
    if (html === undefined || images === undefined) return texts
    const { embedImages } = await import('./web-safe/embed-images.ts')
    return { ...texts, html: embedImages(html, images) }
  }
  const safe = await makeSafe(texts, images, query)
  if (safe === undefined) return texts
  return {
    ...(wanted === '*' && plain !== undefined && { plain }),
    html: safe.html,
    hasMore: texts.hasMore || safe.isCut,
    webSafe: true
  }
}

async function makeSafe(
  { plain, html }: MessageTexts,
  images: ReadonlyMap<string, string> | undefined,
  { remoteImages }: PrepareOptions
): Promise<{ readonly html: string; readonly isCut: boolean } | undefined> {
  if (html !== undefined) {
    const { webSafeHtml } = await import('./web-safe/web-safe-html.ts')
    return webSafeHtml(html, { images, remoteImages })
  }
  if (plain === undefined) return undefined
  const { webSafeText } = await import('./web-safe/web-safe-text.ts')
  return webSafeText(plain)
}
