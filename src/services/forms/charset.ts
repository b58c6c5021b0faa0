import { errors } from './contract.ts'

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i

/** The charset that a content type declares; undefined without the parameter `charset`. */
export function charsetOf(contentType: string | null | undefined): string | undefined {
  return CHARSET.exec(contentType ?? '')?.[1]
}

/** Decodes bytes, and throws if they are invalid; an unknown charset counts as UTF-8. */
export function decodeText(bytes: Uint8Array, charset: string | undefined): string {
  const decoder = decoderOf(charset)
  try {
    return decoder.decode(bytes)
  } catch {
    throw errors.bodyNotText(decoder.encoding)
  }
}

function decoderOf(charset = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true })
  } catch {
    return new TextDecoder('utf-8', { fatal: true })
  }
}
