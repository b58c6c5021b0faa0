import { decodeSegment } from '../../../kernel/request-target.ts'

/** What has the form of a token. */
const SECRET = /[0-9a-f]{64}|pk_[0-9a-z]{20}/i
const MASK = '[token]'

/** The path as logs and messages show it: without what follows `/1/tokens`. */
export function maskPath(path: string): string {
  const segments = path.split('/')
  if (segments.find((segment) => segment !== '') !== '1') return path
  let before = ''
  return segments
    .map((segment) => {
      if (segment === '') return segment
      const text = decodeSegment(segment) ?? ''
      const isSecret = /^tokens?$/i.test(before) || SECRET.test(text) || text === ''
      before = text
      return isSecret ? MASK : segment
    })
    .join('/')
}
