import { loadOnce } from '../../../../kernel/load-once.ts'
import type { Action } from '../actions/action.ts'
import { editorPaths, MAX_FILES, newCardPaths } from './paths.ts'

/** With the first change of a card, because most pages are only read. */
const ofCard = loadOnce(() => import('./editor-actions.ts'))
const ofNewCard = loadOnce(() => import('./new-card-actions.ts'))

const cardPaths = editorPaths(':card')
const newPaths = newCardPaths(':board')

const CARD_ROWS = (['save', 'preview', 'arrange', 'upload', 'check'] as const).map(
  (name): Action => ({
    path: cardPaths[name],
    maxFiles: MAX_FILES,
    handle: async (...sent) => (await ofCard()).cardHandlers[name](...sent),
    showAgain: async (...sent) => (await ofCard()).showCardAgain(...sent)
  })
)

const NEW_ROWS = (['create', 'preview'] as const).map(
  (name): Action => ({
    path: newPaths[name],
    maxFiles: MAX_FILES,
    handle: async (...sent) => (await ofNewCard()).newCardHandlers[name](...sent),
    showAgain: async (...sent) => (await ofNewCard()).showNewCardAgain(...sent)
  })
)

/** What the forms of the editor do. */
export const editorActions: readonly Action[] = [...CARD_ROWS, ...NEW_ROWS]
