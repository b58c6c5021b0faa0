import { decodeId } from '../messages/web-safe/message-images.ts'
import { safeHtml } from '../messages/web-safe/safe-html.ts'

/** Messages are written for a light background. */
const STYLE =
  ':root{color-scheme:light}' +
  'body{margin:16px;background:#fff;color:#1b1d22;font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}' +
  'img{max-width:100%}img:not([src]){outline:1px dashed #8c8f96}pre{white-space:pre-wrap}'

/**
 * Scripts, forms, frames and plug-ins are off whatever the message contains, nothing is loaded,
 * and the page is of no origin. Links open in new tabs, which are ordinary pages.
 */
export const FRAME_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    'sandbox allow-popups allow-popups-to-escape-sandbox; ' +
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; " +
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Browsers look up the hosts of links otherwise.
  'x-dns-prefetch-control': 'off',
  'cross-origin-resource-policy': 'same-origin'
})

/** The same as in `FRAME_HEADERS`, for the element that shows the document. */
export const FRAME_SANDBOX = 'allow-popups allow-popups-to-escape-sandbox'

/** The document in the frame that shows a message. */
export function frameDocument(
  source: string,
  images: ReadonlyMap<string, string>
): { document: string; remoteImages: number } {
  const { html, remoteImages } = safeHtml(source, (id) => images.get(decodeId(id)))
  return {
    document: `<!doctype html><html><head><meta charset="utf-8"><title>Message</title><meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body>${html}</body></html>`,
    remoteImages
  }
}
