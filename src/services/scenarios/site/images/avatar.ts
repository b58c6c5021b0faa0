import { createHash } from 'node:crypto'
import { html } from '../../../../kernel/html.ts'

export const SIZE = 128

/** Person that an image shows. */
export interface Sitter {
  readonly email: string
  readonly first_name: string
  readonly last_name: string
}

/** White letters are readable on every hue at this lightness. */
const SATURATION = 55
const LIGHTNESS = 34

export function hashOf({ email }: Sitter): Buffer {
  return createHash('sha256').update(email).digest()
}

export function hueOf(hash: Buffer): number {
  return hash.readUInt16BE(0) % 360
}

/** Initials on a background whose colour is derived from the email address. */
export function drawAvatar(sitter: Sitter): string {
  const { first_name, last_name } = sitter
  const name = `${first_name} ${last_name}`.trim()
  const ground = `hsl(${hueOf(hashOf(sitter))} ${SATURATION}% ${LIGHTNESS}%)`
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 128 128" role="img">
<title>${storable(name)}</title>
<circle cx="64" cy="64" r="64" fill="${ground}"/>
<text x="64" y="64" dy="0.36em" fill="#fff" font-family="system-ui, sans-serif" font-size="50" font-weight="600" text-anchor="middle">${initialsOf(sitter)}</text>
</svg>
`.markup
}

function initialsOf({ first_name, last_name, email }: Sitter): string {
  const initials = initialOf(first_name) + initialOf(last_name)
  return initials === '' ? initialOf(email) : initials
}

/** First character as people see it, such as an emoji with its modifiers. */
function initialOf(text: string): string {
  const [first] = new Intl.Segmenter().segment(storable(text).trim())
  return (first?.segment ?? '').toUpperCase()
}

/** Removes control characters, most of which XML cannot contain, not even escaped. */
function storable(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\uFFFE\uFFFF]/gu, '')
}
