import { createCache } from '../../../kernel/cache.ts'

const BITS = 32
const MAX_COMPILED = 500

/** A set of states for each character; a state is the number of characters matched so far. */
interface Glob {
  readonly words: number
  /** States from which the character leads to the next state. */
  readonly steps: ReadonlyMap<string, Int32Array>
  /** States that any character keeps (`**`), and those that any character but a slash keeps. */
  readonly any: Int32Array
  readonly segment: Int32Array
  readonly last: number
}

const compiled = createCache<Glob>(MAX_COMPILED)

/**
 * `*` is anything but a slash, `**` anything. All states are followed at once, 32 in one operation:
 * the time is at most path length × glob length / 32, whatever the stars.
 */
export function matchesGlob(glob: string, path: string): boolean {
  const { words, steps, any, segment, last } = compiled.getOrCreate(glob, compile)
  const states = new Int32Array(words)
  states[0] = 1
  for (const character of path) {
    const step = steps.get(character)
    const kept = character === '/' ? any : segment
    let carry = 0
    let isAlive = 0
    for (let word = 0; word < words; word++) {
      const before = states[word] ?? 0
      const moved = step === undefined ? 0 : before & (step[word] ?? 0)
      const next = (before & (kept[word] ?? 0)) | (moved << 1) | carry
      carry = moved >>> (BITS - 1)
      states[word] = next
      isAlive |= next
    }
    if (isAlive === 0) return false
  }
  return has(states, last)
}

function compile(glob: string): Glob {
  const pieces = glob.split(/(\*+)/)
  const words = Math.floor([...glob].length / BITS) + 1
  const steps = new Map<string, Int32Array>()
  const any = new Int32Array(words)
  const segment = new Int32Array(words)
  let state = 0
  for (const piece of pieces) {
    if (piece.startsWith('*')) {
      add(segment, state)
      if (piece.length > 1) add(any, state)
      continue
    }
    for (const character of piece) {
      const set = steps.get(character) ?? new Int32Array(words)
      steps.set(character, set)
      add(set, state++)
    }
  }
  return { words, steps, any, segment, last: state }
}

function add(set: Int32Array, state: number): void {
  const word = Math.floor(state / BITS)
  set[word] = (set[word] ?? 0) | (1 << (state % BITS))
}

function has(set: Int32Array, state: number): boolean {
  return (((set[Math.floor(state / BITS)] ?? 0) >>> (state % BITS)) & 1) === 1
}
