import { announce, cardsOf, describe, laneOf, nameOf, page, showMessage } from './board-parts.ts'
import { refresh } from './board-refresh.ts'
import { inOrder, send } from './board-requests.ts'

/** Where a card or list is among its siblings. */
export interface Spot {
  parent: Element
  next: Element | null
}

export function spotOf(part: Element): Spot {
  const parent = part.parentElement
  if (parent === null) throw new Error('The part is not on the page')
  return { parent, next: part.nextElementSibling }
}

export function isAt(part: Element, { parent, next }: Spot): boolean {
  return part.parentElement === parent && part.nextElementSibling === next
}

/** If the next sibling has gone, at the end. */
export function putBack(part: Element, { parent, next }: Spot): void {
  parent.insertBefore(part, next?.parentElement === parent ? next : null)
}

/** Stores that the card is where the page shows it; puts it back if it cannot be stored. */
export async function storeMove(tile: HTMLElement, from: Spot): Promise<void> {
  if (isAt(tile, from)) return
  const { list = '' } = laneOf(tile).dataset
  const target =
    list === 'archive'
      ? { to: 'archive' }
      : { to: 'list', list, before: cardBeside(tile, 'next'), after: cardBeside(tile, 'previous') }
  announce(`${nameOf(tile)} moved to ${describe(tile)}`)
  await attempt(
    async () => {
      const { card: id = '', revision = '' } = tile.dataset
      const { card } = await send(page.dataset.move ?? '', { card: id, revision, ...target })
      if (card?.revision !== undefined) tile.dataset.revision = String(card.revision)
    },
    () => putBack(tile, from)
  )
}

function cardBeside(tile: HTMLElement, side: 'next' | 'previous'): string {
  const other = side === 'next' ? tile.nextElementSibling : tile.previousElementSibling
  return (other as HTMLElement | null)?.dataset.card ?? ''
}

export async function storeListMove(lane: HTMLElement, from: Spot): Promise<void> {
  if (isAt(lane, from)) return
  const before = (lane.nextElementSibling as HTMLElement | null)?.dataset.list ?? ''
  const target = before === '' || before === 'archive' ? { to: 'end' } : { before }
  announce(`List ${nameOf(lane)} moved`)
  await attempt(
    async () => {
      await send(lane.dataset.move ?? '', target)
    },
    () => putBack(lane, from)
  )
}

/** Shows why a change was not stored, and what is stored now. */
export async function attempt(change: () => Promise<void>, undo: () => void): Promise<boolean> {
  try {
    await inOrder(change)
    showMessage('')
    refresh()
    return true
  } catch (error) {
    undo()
    showMessage((error as Error).message)
    refresh()
    return false
  }
}

/** Puts a card into another list at about the same height. */
export function insertAt(tile: Element, lane: Element, index: number): void {
  const cards = cardsOf(lane)
  const others = [...cards.children].filter((child) => child !== tile)
  cards.insertBefore(tile, others[index] ?? null)
}
