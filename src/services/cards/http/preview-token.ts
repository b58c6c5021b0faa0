import type { Viewer } from '../records/viewer.ts'
import type { Signing } from './signing.ts'

const PURPOSE = 'preview token'
/** Previews; images on the pages of members, whose URLs are easily passed on. */
type Prefix = 'pv' | 'im'
/** Board, card if it is for one, end in Unix seconds, signature. */
const FORM = /^((pv|im)_([0-9a-f]{24})(?:_([0-9a-f]{24}))?_(\d{10}))_([\w-]{43})$/

export interface Preview {
  readonly board: string
  readonly card: string | undefined
  /** Unix seconds. */
  readonly expiresAt: number
}

interface Signer {
  /** Loaded at first use. */
  readonly signing: () => Promise<Signing>
}

/** Not stored: it is valid until it expires, or until a reset replaces the signing key. */
export function createPreviewToken(signer: Signer, preview: Preview): Promise<string> {
  return createToken(signer, 'pv', preview)
}

/** Shows the images of a board and nothing else of it. */
export function createImageOnlyToken(signer: Signer, preview: Preview): Promise<string> {
  return createToken(signer, 'im', preview)
}

async function createToken(
  { signing }: Signer,
  prefix: Prefix,
  { board, card, expiresAt }: Preview
): Promise<string> {
  const text = [prefix, board, ...(card === undefined ? [] : [card]), expiresAt].join('_')
  return `${text}_${await (await signing()).sign(PURPOSE, text)}`
}

/** Undefined if the text is no preview token, its signature is wrong or it has expired. */
export function readPreviewToken(
  signer: Signer,
  token: string,
  now: Date
): Promise<Viewer | undefined> {
  return readToken(signer, token, { now, prefixes: ['pv'] })
}

/** The same for a request of an image. */
export function readImageToken(
  signer: Signer,
  token: string,
  now: Date
): Promise<Viewer | undefined> {
  return readToken(signer, token, { now, prefixes: ['pv', 'im'] })
}

async function readToken(
  { signing }: Signer,
  token: string,
  { now, prefixes }: { now: Date; prefixes: readonly Prefix[] }
): Promise<Viewer | undefined> {
  const [, text = '', prefix, board = '', card, end, signature = ''] = FORM.exec(token) ?? []
  if (!prefixes.some((one) => one === prefix) || Number(end) * 1000 <= now.getTime()) {
    return undefined
  }
  if (!(await (await signing()).verify(PURPOSE, text, signature))) return undefined
  return { kind: 'preview', board, card }
}
