import { insertAt, putBack, type Spot, spotOf, storeMove } from './board-move.ts'
import { announce, board, describe, laneOf, lanes, linkOf, nameOf, tilesOf } from './board-parts.ts'
import { setBusy } from './board-refresh.ts'

const ARROWS = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']

let lifted: { tile: HTMLElement; from: Spot } | undefined
/** Moving a card takes its focus away for a moment. */
let isMoving = false

/** Space lifts the card with the focus, arrows move it, Space or Enter drops it, Escape returns it. */
export function enableKeys(): void {
  board.addEventListener('keydown', press)
  board.addEventListener('focusout', ({ target }) => {
    if (!isMoving && lifted !== undefined && target === linkOf(lifted.tile)) giveBack()
  })
}

function press(event: KeyboardEvent): void {
  const { target, key, ctrlKey, metaKey, altKey } = event
  if (!(target instanceof HTMLElement) || ctrlKey || metaKey || altKey) return
  const tile = target.closest<HTMLElement>('[data-card]')
  if (tile === null || target !== linkOf(tile)) return
  if (lifted === undefined) {
    if (key === ' ') lift(tile)
    else if (!ARROWS.includes(key) || !goFrom(tile, key)) return
  } else if (ARROWS.includes(key)) moveBy(lifted.tile, key)
  else if (key === ' ' || key === 'Enter') drop()
  else if (key === 'Escape') giveBack()
  else return
  event.preventDefault()
}

function lift(tile: HTMLElement): void {
  setBusy(true)
  lifted = { tile, from: spotOf(tile) }
  tile.classList.add('lifted')
  announce(
    `${nameOf(tile)} lifted: ${describe(tile)}. Arrows move it, Space drops it, Escape returns it.`
  )
}

function land(): { tile: HTMLElement; from: Spot } | undefined {
  const landed = lifted
  lifted = undefined
  landed?.tile.classList.remove('lifted')
  return landed
}

function drop(): void {
  const landed = land()
  if (landed === undefined) return
  const { tile, from } = landed
  announce(`${nameOf(tile)} dropped: ${describe(tile)}`)
  void keepFocus(tile, () => storeMove(tile, from)).finally(() => setBusy(false))
}

/** A card that is put back loses the focus. */
async function keepFocus(tile: HTMLElement, change: () => Promise<void>): Promise<void> {
  await change()
  if (tile.isConnected && document.activeElement === document.body) linkOf(tile).focus()
}

function giveBack(): void {
  const landed = land()
  if (landed === undefined) return
  const { tile, from } = landed
  const hadFocus = document.activeElement === linkOf(tile)
  putBack(tile, from)
  if (hadFocus) linkOf(tile).focus()
  announce(`${nameOf(tile)} is where it was: ${describe(tile)}`)
  setBusy(false)
}

function moveBy(tile: HTMLElement, key: string): void {
  const lane = laneOf(tile)
  const index = tilesOf(lane).indexOf(tile)
  isMoving = true
  if (key === 'ArrowUp') insertAt(tile, lane, Math.max(0, index - 1))
  else if (key === 'ArrowDown') insertAt(tile, lane, index + 1)
  else {
    const target = nextLane(lane, key)
    if (target !== undefined) insertAt(tile, target, Math.min(index, tilesOf(target).length))
  }
  linkOf(tile).focus()
  isMoving = false
  tile.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  announce(describe(tile))
}

function nextLane(lane: HTMLElement, key: string): HTMLElement | undefined {
  const all = lanes()
  return all[all.indexOf(lane) + (key === 'ArrowLeft' ? -1 : 1)]
}

/** Without a lifted card, arrows go to the next card. False if no card follows in that direction. */
function goFrom(tile: HTMLElement, key: string): boolean {
  const lane = laneOf(tile)
  const tiles = tilesOf(lane)
  const index = tiles.indexOf(tile)
  let next: HTMLElement | undefined
  if (key === 'ArrowUp') next = tiles[index - 1]
  else if (key === 'ArrowDown') next = tiles[index + 1]
  else next = nearest(lane, key, index)
  if (next === undefined) return false
  linkOf(next).focus()
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  return true
}

/** In the next list that has cards. */
function nearest(lane: HTMLElement, key: string, index: number): HTMLElement | undefined {
  let target = nextLane(lane, key)
  while (target !== undefined && tilesOf(target).length === 0) target = nextLane(target, key)
  const tiles = target === undefined ? [] : tilesOf(target)
  return tiles[Math.min(index, tiles.length - 1)]
}
