/** Of a message; sorted, without `\Recent`. */
export interface MessageFlags {
  readonly flags: readonly string[]
  /** Of Gmail; undefined if the server has none or did not tell them. */
  readonly labels?: readonly string[] | undefined
}

/** Numbers of the combinations of flags that a mailbox has: usually a few. */
export interface FlagTable {
  numberOf: (flags: readonly string[], labels?: readonly string[]) => number
  at: (number: number) => MessageFlags
}

/** Longer ones are ignored. */
const MAX_FLAG_CHARACTERS = 256
const MAX_FLAGS = 200
/** Beyond it only the system flags of further combinations are noticed. */
const MAX_TABLE_CHARACTERS = 4_000_000
const MAX_SPELLINGS = 10_000

const SYSTEM_FLAGS = ['\\Answered', '\\Flagged', '\\Deleted', '\\Seen', '\\Draft']
const SYSTEM_NAMES: ReadonlyMap<string, string> = new Map(
  SYSTEM_FLAGS.map((flag) => [flag.toLowerCase(), flag])
)

export function createFlagTable(): FlagTable {
  const combinations: MessageFlags[] = []
  const numbers = new Map<string, number>()
  /** By the flags as they were sent: they are rarely sent in another order. */
  const spellings = new Map<string, number>()
  let characters = 0

  function add(key: string, combination: MessageFlags): number {
    const number = combinations.push(combination) - 1
    numbers.set(key, number)
    characters += key.length
    return number
  }

  function find(flags: readonly string[], labels: readonly string[] | undefined): number {
    const combination = normaliseFlags(flags, labels)
    const key = keyOf(combination)
    const known = numbers.get(key)
    if (known !== undefined) return known
    if (characters + key.length <= MAX_TABLE_CHARACTERS) return add(key, combination)
    const system = { flags: combination.flags.filter((flag) => SYSTEM_FLAGS.includes(flag)) }
    return numbers.get(keyOf(system)) ?? add(keyOf(system), system)
  }

  return {
    numberOf(flags, labels) {
      const spelling = keyOf({ flags, labels })
      const known = spellings.get(spelling)
      if (known !== undefined) return known
      const number = find(flags, labels)
      if (spellings.size >= MAX_SPELLINGS) spellings.clear()
      spellings.set(spelling, number)
      return number
    },
    at: (number) => combinations[number] ?? { flags: [] }
  }
}

export function normaliseFlags(
  flags: readonly string[],
  labels: readonly string[] | undefined
): MessageFlags {
  const named = flags.map((flag) =>
    flag.startsWith('\\') ? (SYSTEM_NAMES.get(flag.toLowerCase()) ?? flag) : flag
  )
  const kept = sortedSet(named.filter((flag) => flag.toLowerCase() !== '\\recent'))
  return labels === undefined ? { flags: kept } : { flags: kept, labels: sortedSet(labels) }
}

function sortedSet(names: readonly string[]): string[] {
  const kept = names.filter(({ length }) => length > 0 && length <= MAX_FLAG_CHARACTERS)
  return [...new Set(kept)].sort().slice(0, MAX_FLAGS)
}

/** Flags have no spaces, and no name has an end of line. */
function keyOf({ flags, labels }: MessageFlags): string {
  const key = flags.join(' ')
  return labels === undefined ? key : `${key}\n${JSON.stringify(labels)}`
}

/** Unknown labels count as unchanged. */
export function areEqualFlags(left: MessageFlags, right: MessageFlags): boolean {
  if (!areEqual(left.flags, right.flags)) return false
  const { labels } = left
  return labels === undefined || right.labels === undefined || areEqual(labels, right.labels)
}

function areEqual(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name, index) => name === right[index])
}
