import { PAUSE } from './work.ts'

/** A computation that can be interrupted at its pauses. */
export type Interruptible<Result> = Generator<typeof PAUSE, Result, void>

/** Most values are generated within this time, without a promise. */
const FIRST_SLICE_MS = 5
const SLICE_MS = 10

/** One slice each, returning whether the computation has ended; in the order of their turns. */
const waiting: (() => boolean)[] = []

/** Runs to the end without interruption. */
export function runAtOnce<Result>(work: Interruptible<Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

/**
 * Returns the result if it is ready soon; otherwise goes on in short slices, one per turn of the
 * event loop for all computations together.
 */
export function runInTurns<Result>(work: Interruptible<Result>): Result | Promise<Result> {
  const first = runSlice(work, FIRST_SLICE_MS)
  if (first !== PAUSE) return first
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  waiting.push(function takeTurn() {
    try {
      const result = runSlice(work, SLICE_MS)
      if (result !== PAUSE) resolve(result)
      return result !== PAUSE
    } catch (error) {
      reject(error)
      return true
    }
  })
  if (waiting.length === 1) setImmediate(nextTurn)
  return promise
}

function nextTurn(): void {
  const turn = waiting.shift()
  if (turn === undefined) return
  if (!turn()) waiting.push(turn)
  if (waiting.length > 0) setImmediate(nextTurn)
}

function runSlice<Result>(work: Interruptible<Result>, milliseconds: number) {
  const until = performance.now() + milliseconds
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    if (performance.now() >= until) return PAUSE
  }
}
