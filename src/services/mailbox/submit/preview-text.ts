import { html } from '../../../kernel/html.ts'

const STYLE = [
  ...['display:none', 'max-height:0', 'max-width:0', 'overflow:hidden', 'opacity:0'],
  ...['font-size:1px', 'line-height:1px', 'mso-hide:all', 'visibility:hidden']
].join(';')

/** Ends at the next tag, so that many tags without an end take no longer. */
const BODY = /<body(?:\s[^<>]*)?>/i

/** Adds text that lists of messages show after the subject, and the message itself does not. */
export function withPreviewText(message: string, text: string): string {
  const hidden = html`<div style="${STYLE}">${text}</div>`
  const body = BODY.exec(message)
  const start = body === null ? 0 : body.index + body[0].length
  return message.slice(0, start) + hidden.markup + message.slice(start)
}
