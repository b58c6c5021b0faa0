import { readFileSync } from 'node:fs'
import { html, type Markup } from '../../../kernel/html.ts'
import { faviconSvg } from '../../../kernel/page-icons.ts'
import { createPublicLayout } from '../../../kernel/public-page.ts'

const layout = createPublicLayout(['shared.css', 'cards.css'].map(readStyle).join('\n'))

function readStyle(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
}

/** Headers of all pages; the policy has the hash of their style sheet. */
export const CARD_PAGE_HEADERS = layout.headers
export const ICON = faviconSvg('cards')

export interface CardPage {
  title: string
  /** Path from the page to the root. */
  root: string
  /** Name of the site; the link to all boards. */
  site: string
  /** After the name of the site. */
  crumb?: { href: string; text: string }
  head?: Markup
  main: Markup
  /** Boards are as wide as the window. */
  isWide?: boolean
}

export function renderCardPage({ title, root, site, crumb, head, main, isWide }: CardPage): string {
  return layout.render({
    title,
    icon: `${root}/favicon.svg`,
    head: html`${head}`,
    body: html`<a class="skip" href="#main">Skip to content</a>
<header class="bar"><nav aria-label="Boards"><a href="${root}/">${site}</a>${
      crumb !== undefined &&
      html` <span aria-hidden="true">/</span> <a href="${crumb.href}"><bdi>${crumb.text}</bdi></a>`
    }</nav></header>
<main id="main" tabindex="-1" class="cards${isWide && ' wide'}">
${main}
</main>`
  })
}

/** `12 May 2026`. */
export function renderDay(day: string): Markup {
  const text = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC'
  }).format(new Date(`${day}T00:00:00Z`))
  return html`<time datetime="${day}">${text}</time>`
}

const HUES: Readonly<Record<string, string>> = {
  red: 'reference',
  orange: 'boxes',
  green: 'countries',
  lime: 'countries',
  purple: 'scenarios',
  pink: 'scenarios',
  yellow: 'forms',
  blue: 'mailbox',
  sky: 'statuses'
}

export function renderLabels(
  labels: readonly { name: string; color: string | null }[]
): Markup | false {
  if (labels.length === 0) return false
  return html`<ul class="labels" aria-label="Labels">${labels.map(
    (label) => html`<li class="${labelHue(label.color)}" dir="auto">${labelText(label)}</li>`
  )}</ul>`
}

/** The class with the colour; dark and light ones look the same. */
export function labelHue(color: string | null): string {
  return HUES[(color ?? '').replace(/_.*$/, '')] ?? 'plain'
}

/** Labels without a name are called by their colour. */
export function labelText({ name, color }: { name: string; color: string | null }): string {
  return name || (color ?? '').replace('_', ' ')
}
