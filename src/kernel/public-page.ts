import { html, type Markup } from './html.ts'
import { inlineHash, shortenStyle, styleSection } from './page-style.ts'

/** A page for the public: without a link to the console or a script. */
export interface PublicPage {
  title: string
  /** Language of the page; English by default. */
  lang?: string
  /** The colours of the system by default. */
  theme?: 'light' | 'dark' | undefined
  /** URL of the favicon. */
  icon: string
  /** More elements for `<head>`, such as metadata. */
  head?: Markup
  body: Markup
}

export interface PublicLayout {
  render: (page: PublicPage) => string
  headers: Readonly<Record<string, string>>
  /** For pages that any site may show in a frame. */
  frameHeaders: Readonly<Record<string, string>>
}

/** Colours, fonts and elements are those of all pages; `style` adds the parts of a service. */
export function createPublicLayout(style: string): PublicLayout {
  const sheet = shortenStyle(styleSection('Tokens') + styleSection('Elements') + style)
  return {
    render: (page) => renderDocument(page, sheet),
    headers: publicHeaders(sheet, "'none'"),
    frameHeaders: publicHeaders(sheet, '*')
  }
}

function publicHeaders(sheet: string, ancestors: string): Readonly<Record<string, string>> {
  return Object.freeze({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; img-src 'self'; media-src 'self'; style-src ${inlineHash(sheet)}; ` +
      `base-uri 'none'; form-action 'self'; frame-ancestors ${ancestors}`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin'
  })
}

function renderDocument(page: PublicPage, sheet: string): string {
  const { title, lang = 'en', theme, icon, head, body } = page
  return html`<!doctype html>
<html lang="${lang}"${theme !== undefined && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme ?? 'light dark'}">
<title>${title}</title>
<link rel="icon" href="${icon}">
<style>${{ markup: sheet }}</style>
${head}
</head>
<body>
${body}
</body>
</html>
`.markup
}
