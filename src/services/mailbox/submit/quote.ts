import { html, type Markup } from '../../../kernel/html.ts'
import { tokenizeHtml } from '../../../kernel/html-tokens.ts'
import type { MailAddressInput } from '../api/schemas/compose.ts'
import { balanceTags } from '../messages/web-safe/balance-tags.ts'
import { SafeHtmlWriter } from '../messages/web-safe/safe-html.ts'
import type { Original } from './original.ts'
import { type Phrases, phrasesOf } from './phrases.ts'
import type { ReferenceAction } from './submission.ts'
import { textOfHtml } from './text-of-html.ts'

export interface QuoteOptions {
  readonly action: ReferenceAction
  readonly locale: string
  readonly timeZone: string
}

export interface MessageBody {
  readonly text: string | undefined
  readonly html: string | undefined
}

type QuotedMessage = Pick<Original, 'from' | 'to' | 'cc' | 'subject' | 'date' | 'texts'>

/** Text and HTML of a message with the original after them; a message without either has both. */
export function withQuote(
  body: MessageBody,
  original: QuotedMessage,
  options: QuoteOptions
): MessageBody {
  const phrases = phrasesOf(options.locale)
  const isEmpty = body.text === undefined && body.html === undefined
  const hasHtml = body.html !== undefined || (isEmpty && original.texts.html !== undefined)
  const hasText = body.text !== undefined || isEmpty
  return {
    text: hasText ? (body.text ?? '') + quoteText(original, phrases, options) : undefined,
    html: hasHtml ? insertAtEnd(body.html ?? '', quoteHtml(original, phrases, options)) : undefined
  }
}

function quoteText(original: QuotedMessage, phrases: Phrases, options: QuoteOptions): string {
  const { plain, html: markup = '' } = original.texts
  const text = (plain ?? textOfHtml(markup)).replace(/\r\n?/g, '\n').trimEnd()
  if (options.action === 'forward') {
    const lines = headLines(original, phrases, options).map(([name, value]) => `${name}: ${value}`)
    const head = [`---------- ${phrases.forwarded} ---------`, ...lines]
    return `\n\n${head.join('\n')}\n\n${text}\n`
  }
  const quoted = text.split('\n').map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`))
  return `\n\n${introduction(original, phrases, options)}\n\n${quoted.join('\n')}\n`
}

function quoteHtml(original: QuotedMessage, phrases: Phrases, options: QuoteOptions): Markup {
  const content = contentOf(original)
  if (options.action === 'forward') {
    const lines = headLines(original, phrases, options)
    const head = lines.map(([name, value]) => html`<br>${name}: ${value}`)
    return html`<br><div class="gmail_quote">---------- ${phrases.forwarded} ---------${head}<br><br>${content}</div>`
  }
  const line = introduction(original, phrases, options)
  return html`<br><div class="gmail_quote"><div>${line}<br></div><blockquote type="cite" class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex">${content}</blockquote></div>`
}

/** Nothing of the original can run, and its tags end inside of the quote. */
function contentOf({ texts }: QuotedMessage): Markup {
  if (texts.html === undefined) {
    return html`<div style="white-space:pre-wrap">${texts.plain ?? ''}</div>`
  }
  const writer = new SafeHtmlWriter({
    imageOf: (id) => `cid:${id}`,
    isFragment: true,
    remoteImages: 'keep'
  })
  for (const token of balanceTags(tokenizeHtml(texts.html))) writer.add(token)
  return { markup: writer.html }
}

/** Before the end of the body, so that the document stays complete. */
function insertAtEnd(document: string, { markup }: Markup): string {
  const end = /<\/body\s*>(?:\s*<\/html\s*>)?\s*$/i.exec(document)?.index ?? document.length
  return document.slice(0, end) + markup + document.slice(end)
}

function introduction(
  { from, date }: QuotedMessage,
  phrases: Phrases,
  options: QuoteOptions
): string {
  const [author] = from
  return phrases.wrote(dateText(date, options), author === undefined ? '' : personText(author))
}

function headLines(
  { from, to, cc, subject, date }: QuotedMessage,
  phrases: Phrases,
  options: QuoteOptions
): readonly (readonly [string, string])[] {
  const lines = [
    [phrases.from, from.map(personText).join(', ')],
    [phrases.date, dateText(date, options)],
    [phrases.subject, subject],
    [phrases.to, to.map(personText).join(', ')],
    [phrases.cc, cc.map(personText).join(', ')]
  ] as const
  return lines.filter(([, value]) => value !== '')
}

function personText({ name = '', address }: MailAddressInput): string {
  return name === '' || name === address ? address : `${name} <${address}>`
}

function dateText(date: Date | undefined, { locale, timeZone }: QuoteOptions): string {
  if (date === undefined) return ''
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const
  return new Intl.DateTimeFormat(locale, format).format(date)
}
