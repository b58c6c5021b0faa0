/** Parts of the page that other modules use. */

/** Throws if the page is not that of a board. */
export function required(selector: string, parent: ParentNode = document): HTMLElement {
  const found = parent.querySelector<HTMLElement>(selector)
  if (found === null) throw new Error(`The page has no ${selector}`)
  return found
}

export const page: HTMLElement = required('#board-page')
export const board: HTMLElement = required('#board')

/** Read out by screen readers. */
export function announce(text: string): void {
  required('#board-status').textContent = text
}

/** Shown above the board and read out at once; an empty text hides it. */
export function showMessage(text: string): void {
  const message = required('#board-message')
  message.textContent = text.replace(/[^.]$/, '$&.')
  message.hidden = text === ''
}

export function cardsOf(lane: Element): HTMLElement {
  return required('[data-cards]', lane)
}

export function tilesOf(lane: Element): HTMLElement[] {
  return [...cardsOf(lane).querySelectorAll<HTMLElement>(':scope > [data-card]:not([hidden])')]
}

export function lanes(): HTMLElement[] {
  return [...board.querySelectorAll<HTMLElement>(':scope > [data-list]')]
}

export function laneOf(tile: Element): HTMLElement {
  const lane = tile.closest<HTMLElement>('[data-list]')
  if (lane === null) throw new Error('The card is in no list')
  return lane
}

export function nameOf(part: HTMLElement): string {
  return part.dataset.name ?? part.querySelector('h2')?.textContent ?? ''
}

/** The link that has the focus of a card. */
export function linkOf(tile: Element): HTMLElement {
  return required('h3 a', tile)
}

/** Position in the list, from 1, and the number of cards. */
export function describe(tile: HTMLElement): string {
  const lane = laneOf(tile)
  const tiles = tilesOf(lane)
  return `${nameOf(lane)}, position ${tiles.indexOf(tile) + 1} of ${tiles.length}`
}
