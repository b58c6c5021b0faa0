import { readFileSync } from 'node:fs'
import type { Markup } from '../../../kernel/html.ts'
import { createPageStyle, headersOf, type PageStyle, renderPage } from '../../../kernel/page.ts'
import type { CardContext } from '../context.ts'
import type { PageRequest, ShownPage } from './page-request.ts'

const BASE_STYLES = ['shared.css', 'member.css']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n')

/** To be created once: what all pages for members need, and more of a page. */
export function createMemberStyle(more = ''): PageStyle {
  return createPageStyle(BASE_STYLES + more)
}

const STYLE = createMemberStyle()

/** A page for signed-in members, with the top bar of all services. */
export interface MemberPage {
  title: string
  /** After the name of the service; the last one is the page itself and has no `path`. */
  crumbs?: readonly { text: string; path?: string }[]
  /** The title by default. */
  heading?: Markup | false
  main: Markup
  /** Name of a module of the folder `browser`. */
  script?: string
  style?: PageStyle
  status?: number
}

export function renderMemberPage(
  { kernel, options }: Pick<CardContext, 'kernel' | 'options'>,
  {
    root,
    baseUrl,
    signedIn,
    action
  }: Pick<PageRequest, 'root' | 'baseUrl' | 'signedIn' | 'action'>,
  page: MemberPage
): ShownPage {
  const { title, heading, main, script, style = STYLE, status = 200, crumbs = [] } = page
  const home = { text: options.title ?? 'cards', ...(crumbs.length > 0 && { href: `${root}/` }) }
  const shown = {
    title,
    ...(heading !== undefined && { heading }),
    crumbs: [
      home,
      ...crumbs.map(({ text, path }) => ({
        text,
        ...(path !== undefined && { href: root + path })
      }))
    ],
    main,
    ...(script !== undefined && { script: scriptUrl(root, script) }),
    style
  }
  const signOut = signedIn === undefined ? undefined : action('/sign-out')
  const frame = { ...kernel.frame(baseUrl), signOut }
  return { html: renderPage(shown, frame), status, headers: headersOf(shown) }
}

export function scriptUrl(root: string, name: string): string {
  return `${root}/scripts/${name}.js`
}
