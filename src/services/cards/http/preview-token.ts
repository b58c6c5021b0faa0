import type { Viewer } from '../records/viewer.ts'
import type { Signing } from './signing.ts'

const PURPOSE = 'preview token'
/** Board, card if it is for one, end in Unix seconds, signature. */
const FORM = /^(pv_([0-9a-f]{24})(?:_([0-9a-f]{24}))?_(\d{10}))_([\w-]{43})$/

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
export async function createPreviewToken(
  { signing }: Signer,
  { board, card, expiresAt }: Preview
): Promise<string> {
  const text = ['pv', board, ...(card === undefined ? [] : [card]), expiresAt].join('_')
  return `${text}_${await (await signing()).sign(PURPOSE, text)}`
}

/** Undefined if the text is no preview token, its signature is wrong or it has expired. */
export async function readPreviewToken(
  { signing }: Signer,
  token: string,
  now: Date
): Promise<Viewer | undefined> {
  const [, text = '', board = '', card, end, signature = ''] = FORM.exec(token) ?? []
  if (text === '' || Number(end) * 1000 <= now.getTime()) return undefined
  if (!(await (await signing()).verify(PURPOSE, text, signature))) return undefined
  return { kind: 'preview', board, card }
}
