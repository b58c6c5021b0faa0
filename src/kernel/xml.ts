import { html, type Markup } from './html.ts'

/** Characters that XML 1.0 does not allow, not even as references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are to be removed
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** An XML document of escaped parts; what XML forbids is removed. */
export function xmlDocument(root: Markup): string {
  const { markup } = html`<?xml version="1.0" encoding="utf-8"?>
${root}
`
  return markup.toWellFormed().replace(FORBIDDEN, '')
}
