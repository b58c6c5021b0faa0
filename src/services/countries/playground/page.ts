import { html } from '../../../kernel/html.ts'
import { type Frame, PAGE_SCRIPT_HASH, renderTopBar, TOP_BAR_HEAD } from '../../../kernel/page.ts'
import { faviconOf } from '../../../kernel/page-icons.ts'

const TEXTS = {
  title: 'Countries playground',
  schema: 'Schema',
  json: 'All countries as JSON',
  csv: 'as CSV',
  noScript: 'The playground requires JavaScript. The schema and the lists above work without it.'
}

/** Inline styles are allowed because GraphiQL sets them by script; other origins are blocked. */
export const PLAYGROUND_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; script-src 'self' ${PAGE_SCRIPT_HASH}; ` +
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "font-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; " +
    "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  vary: 'Accept',
  'cache-control': 'no-cache'
})

/** With the top bar of all pages; everything below it is GraphiQL. */
export function renderPlayground(frame: Frame): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${TEXTS.title} · nonet</title>
<link rel="icon" href="${faviconOf('countries')}">
<link rel="stylesheet" href="/playground/graphiql.css">
${TOP_BAR_HEAD}
<link rel="stylesheet" href="/playground/page.css">
<script defer src="/playground/react.js"></script>
<script defer src="/playground/react-dom.js"></script>
<script defer src="/playground/graphiql.js"></script>
<script defer src="/playground/start.js"></script>
</head>
<body id="page">
${renderTopBar({ crumbs: [{ text: 'countries' }] }, frame)}
<div class="files">
<h1>${TEXTS.title}</h1>
<nav aria-label="Files"><a href="/schema.graphql">${TEXTS.schema}</a> <a href="/countries.json">${TEXTS.json}</a> <a href="/countries.csv">${TEXTS.csv}</a></nav>
</div>
<main id="playground"><noscript><p>${TEXTS.noScript}</p></noscript></main>
</body>
</html>
`.markup
}
