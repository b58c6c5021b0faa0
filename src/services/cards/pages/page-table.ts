import type { CardContext } from '../context.ts'
import { ObjectUnknown } from '../contract.ts'
import { signInPage } from './access/sign-in-page.ts'
import { confirmRemovalPage } from './board/confirm-removal.ts'
import { boardEvents } from './board/events.ts'
import { boardPage } from './board.ts'
import { deletePage } from './boards/confirm-pages.ts'
import { settingsPage } from './boards/settings-page.ts'
import { cardPage } from './card.ts'
import { newCardRoute, revisionRoute } from './editor/editor-routes.ts'
import { homePage } from './home.ts'
import { importPage } from './import/import-page.ts'
import type { PageOutcome, PageRequest } from './page-request.ts'

export interface PageRoute {
  /** Below the root; `:name` is a parameter. */
  readonly path: string
  readonly page: (context: CardContext, request: PageRequest) => Promise<PageOutcome>
}

/**
 * Names of boards and cards follow their short links, so other pages of a board or card are below
 * `/-/`, which is the slug of no name.
 */
export const PAGES: readonly PageRoute[] = [
  { path: '/', page: homePage },
  { path: '/sign-in', page: (context, request) => signInPage(context, request) },
  { path: '/import/:job', page: importPage },
  { path: '/b/:board/-/settings', page: forMembers((...given) => settingsPage(...given)) },
  { path: '/b/:board/-/delete', page: forMembers(deletePage) },
  { path: '/b', page: boardPage },
  { path: '/b/:board', page: boardPage },
  { path: '/b/:board/:slug', page: boardPage },
  { path: '/b/:board/-/events', page: boardEvents },
  { path: '/b/:board/-/cards/:card/delete', page: confirmRemovalPage },
  { path: '/b/:board/-/new', page: newCardRoute },
  { path: '/c', page: cardPage },
  { path: '/c/:card', page: cardPage },
  { path: '/c/:card/:slug', page: cardPage },
  { path: '/c/:card/-/revision', page: revisionRoute }
]

/** Others get the same error as for an unknown board. */
function forMembers(page: PageRoute['page']): PageRoute['page'] {
  return async (context, request) => {
    if (request.signedIn === undefined || request.viewer.kind !== 'member')
      throw new ObjectUnknown()
    return page(context, request)
  }
}
