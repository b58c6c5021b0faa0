import { readFileSync } from 'node:fs'
import { html, type Markup } from '../../../kernel/html.ts'
import { createPageStyle, type Page, type PageStyle } from '../../../kernel/page.ts'
import { glyph } from '../../../kernel/page-icons.ts'
import { type ListView, listPanel } from './list-panel.ts'

const TEXTS = {
  title: 'mailbox',
  lead: 'Catches the mail of your application: nothing is sent on.'
}

const style = createPageStyle(readFileSync(new URL('./mailbox.css', import.meta.url), 'utf8'))

/** A message with HTML is shown in a frame, by a page of this service. */
export const MAIL_STYLE: PageStyle = {
  ...style,
  headers: withFrames(style.headers),
  scriptedHeaders: withFrames(style.scriptedHeaders)
}

function withFrames(headers: PageStyle['headers']): PageStyle['headers'] {
  const policy = `${headers['content-security-policy']}; frame-src 'self'`
  return Object.freeze({ ...headers, 'content-security-policy': policy })
}

export interface MailPage extends ListView {
  /** Of the message beside the list. */
  readonly title?: string
  readonly side: Markup
  /** Whether a message is beside the list. */
  readonly isReading: boolean
}

/** The list, and beside it a message or how to use the sandbox. */
export function mailPage({ title, side, isReading, ...view }: MailPage): Page {
  return {
    title: title ?? TEXTS.title,
    crumbs: isReading
      ? [{ text: 'mailbox', href: '/' }, { text: 'Message' }]
      : [{ text: 'mailbox' }],
    heading: html`<h1 class="titled">${glyph('mailbox')}${TEXTS.title}</h1>`,
    script: '/assets/live-mail.js',
    style: MAIL_STYLE,
    main: html`<p class="lead">${TEXTS.lead}</p>
<div class="${isReading ? 'mail-columns reading' : 'mail-columns'}">
${listPanel(view)}
${side}
</div>`
  }
}
