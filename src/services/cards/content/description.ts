import { cutText } from '../../../kernel/cut-text.ts'
import { renderArticle } from '../../../kernel/markdown.ts'

const MAX_EXCERPT = 200

export interface Description {
  /** Safe for every text. */
  readonly html: string
  /** The first paragraph without markup. */
  readonly excerpt: string
}

/** `imageUrl` has the public URLs of the card's attachments by id. */
export function renderDescription(
  cardId: string,
  text: string,
  imageUrl: (attachment: string) => string | undefined
): Description {
  if (text === '') return { html: '', excerpt: '' }
  const { markup, firstParagraph } = renderArticle(text, {
    idPrefix: `${cardId}-`,
    plain: true,
    resolveLink: (target) => imageUrl(attachmentOf(target) ?? '') ?? target
  })
  return { html: markup, excerpt: excerptOf(firstParagraph) }
}

/** The id in the URL of an attachment, whatever the host: boards may be copies. */
function attachmentOf(target: string): string | undefined {
  return /\/attachments\/([0-9a-f]{24})(?:[/?#]|$)/i.exec(target)?.[1]?.toLowerCase()
}

/** Cut after a word if there is one. */
function excerptOf(paragraph: string): string {
  const text = paragraph.replace(/\s+/g, ' ').trim()
  if (text.length <= MAX_EXCERPT) return text
  const cut = cutText(text, MAX_EXCERPT - 1)
  const space = cut.lastIndexOf(' ')
  return `${space > MAX_EXCERPT / 2 ? cut.slice(0, space) : cut}…`
}
