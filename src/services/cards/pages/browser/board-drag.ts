import { putBack, type Spot, spotOf, storeListMove, storeMove } from './board-move.ts'
import { announce, board, cardsOf, lanes, nameOf, page, tilesOf } from './board-parts.ts'
import { setBusy } from './board-refresh.ts'

/** A mouse lifts a card when it has moved so far. */
const MOUSE_DISTANCE = 5
/** A finger lifts it after this time, unless it has moved: then the page scrolls. */
const HOLD_MS = 220
const HOLD_DISTANCE = 10
/** Distance from an edge at which lists and page scroll, and the speed per frame. */
const EDGE = 56
const MAX_SPEED = 16
const NOT_A_HANDLE = '.menu, form, button, input, select, label, details'

interface Pressed {
  part: HTMLElement
  isList: boolean
  pointer: number
  isTouch: boolean
  x: number
  y: number
  timer: ReturnType<typeof setTimeout> | undefined
}

interface Lifted extends Pressed {
  from: Spot
  ghost: HTMLElement
  /** Where the pointer is. */
  atX: number
  atY: number
  frame: number
}

let pressed: Pressed | undefined
let lifted: Lifted | undefined

/** Cards and lists follow the mouse, a pen, or a finger after a short hold. */
export function enableDrag(): void {
  board.addEventListener('pointerdown', press)
  board.addEventListener('dragstart', (event) => event.preventDefault())
  // A finger that holds a link would open the menu of the browser.
  board.addEventListener('contextmenu', (event) => {
    if (pressed?.isTouch) event.preventDefault()
  })
  // Not passive: the page must not scroll while a card follows the finger.
  board.addEventListener(
    'touchmove',
    (event) => {
      if (lifted !== undefined) event.preventDefault()
    },
    { passive: false }
  )
  addEventListener('pointermove', move)
  addEventListener('pointerup', release)
  addEventListener('pointercancel', cancel)
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && lifted !== undefined) cancel()
  })
}

function press(event: PointerEvent): void {
  const { target, button, isPrimary, pointerId, pointerType, clientX, clientY } = event
  if (button !== 0 || !isPrimary || !(target instanceof Element)) return
  if (target.closest(NOT_A_HANDLE)) return
  const tile = target.closest<HTMLElement>('[data-card]')
  const lane = target.closest('header')?.closest<HTMLElement>('[data-move]')
  const part = tile ?? lane
  if (!part || lifted !== undefined) return
  const isTouch = pointerType === 'touch'
  clearTimeout(pressed?.timer)
  pressed = {
    ...{ part, isList: tile === null, pointer: pointerId, isTouch, x: clientX, y: clientY },
    timer: isTouch ? setTimeout(() => lift(clientX, clientY), HOLD_MS) : undefined
  }
}

function move(event: PointerEvent): void {
  if (pressed === undefined || event.pointerId !== pressed.pointer) return
  const { clientX: x, clientY: y } = event
  const distance = Math.hypot(x - pressed.x, y - pressed.y)
  if (lifted === undefined) {
    if (pressed.isTouch && distance > HOLD_DISTANCE) forget()
    else if (!pressed.isTouch && distance > MOUSE_DISTANCE) lift(x, y)
    return
  }
  lifted.atX = x
  lifted.atY = y
  follow(lifted)
}

function forget(): void {
  clearTimeout(pressed?.timer)
  pressed = undefined
}

function lift(x: number, y: number): void {
  if (pressed === undefined) return
  setBusy(true)
  getSelection()?.empty()
  const { part } = pressed
  const ghost = ghostOf(part)
  lifted = { ...pressed, from: spotOf(part), ghost, atX: x, atY: y, frame: 0 }
  part.classList.add('gap')
  page.classList.add('dragging')
  announce(`${nameOf(part)} lifted`)
  if (lifted.isTouch) navigator.vibrate?.(10)
  follow(lifted)
  scrollAtEdges()
}

/** A copy that follows the pointer; the part itself shows where it would be. */
function ghostOf(part: HTMLElement): HTMLElement {
  const { left, top, width, height } = part.getBoundingClientRect()
  const ghost = part.cloneNode(true) as HTMLElement
  ghost.removeAttribute('id')
  for (const inner of ghost.querySelectorAll('[id]')) inner.removeAttribute('id')
  ghost.setAttribute('aria-hidden', 'true')
  ghost.inert = true
  ghost.classList.add('ghost')
  Object.assign(ghost.style, {
    ...{ left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` }
  })
  page.append(ghost)
  return ghost
}

function follow({ ghost, x, y, atX, atY, part, isList }: Lifted): void {
  ghost.style.translate = `${atX - x}px ${atY - y}px`
  if (isList) putList(part, atX)
  else putCard(part, atX, atY)
}

function putCard(tile: HTMLElement, x: number, y: number): void {
  const lane = laneAt(x)
  if (lane === undefined) return
  const next = tilesOf(lane).find((other) => other !== tile && y < middle(other, 'y'))
  const cards = cardsOf(lane)
  if (tile.parentElement !== cards || tile.nextElementSibling !== (next ?? null)) {
    cards.insertBefore(tile, next ?? null)
  }
}

/** The list under the pointer, or the nearest one. */
function laneAt(x: number): HTMLElement | undefined {
  const distance = (lane: HTMLElement) => {
    const { left, right } = lane.getBoundingClientRect()
    return Math.max(left - x, x - right, 0)
  }
  return lanes().toSorted((one, other) => distance(one) - distance(other))[0]
}

function putList(lane: HTMLElement, x: number): void {
  const others = lanes().filter((other) => other !== lane)
  const next = others.find((other) => x < middle(other, 'x') || other.dataset.move === undefined)
  if (lane.nextElementSibling !== (next ?? null)) board.insertBefore(lane, next ?? null)
}

function middle(part: Element, axis: 'x' | 'y'): number {
  const { left, top, width, height } = part.getBoundingClientRect()
  return axis === 'x' ? left + width / 2 : top + height / 2
}

function scrollAtEdges(): void {
  if (lifted === undefined) return
  const { atX, atY, isList } = lifted
  const edges = board.getBoundingClientRect()
  board.scrollLeft += speed(atX, Math.max(0, edges.left), Math.min(innerWidth, edges.right))
  scrollBy(0, speed(atY, 0, innerHeight))
  const lane = isList ? undefined : laneAt(atX)
  if (lane !== undefined) {
    const cards = cardsOf(lane)
    const { top, bottom } = cards.getBoundingClientRect()
    if (cards.scrollHeight > cards.clientHeight) cards.scrollTop += speed(atY, top, bottom)
  }
  follow(lifted)
  lifted.frame = requestAnimationFrame(scrollAtEdges)
}

function speed(at: number, start: number, end: number): number {
  const before = Math.max(0, start + EDGE - at)
  const after = Math.max(0, at - (end - EDGE))
  return (Math.min(after, EDGE) - Math.min(before, EDGE)) * (MAX_SPEED / EDGE)
}

function release(event: PointerEvent): void {
  if (event.pointerId !== pressed?.pointer) return
  const drop = land()
  if (drop === undefined) return
  const stored = drop.isList ? storeListMove(drop.part, drop.from) : storeMove(drop.part, drop.from)
  void stored.finally(() => setBusy(false))
}

function cancel(): void {
  const drop = land()
  if (drop === undefined) return
  putBack(drop.part, drop.from)
  announce(`${nameOf(drop.part)} is where it was`)
  setBusy(false)
}

function land(): Lifted | undefined {
  forget()
  const landed = lifted
  lifted = undefined
  if (landed === undefined) return undefined
  cancelAnimationFrame(landed.frame)
  landed.ghost.remove()
  landed.part.classList.remove('gap')
  page.classList.remove('dragging')
  // The release of the mouse would follow the link of the card.
  const stop = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', stop, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', stop, { capture: true }), 0)
  return landed
}
