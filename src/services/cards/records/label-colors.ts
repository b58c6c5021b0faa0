const BASE = 'yellow purple blue red green orange black sky pink lime'.split(' ')

/** Of labels: each colour, its dark and its light form. */
export const LABEL_COLORS: readonly string[] = BASE.flatMap((color) => [
  color,
  `${color}_dark`,
  `${color}_light`
])

/** Of the labels that a new board has. */
export const DEFAULT_LABEL_COLORS = ['green', 'yellow', 'orange', 'red', 'purple', 'blue'] as const

/** The names of a board's labels by colour, of which most are empty. */
export function labelNamesOf(stored: string): Record<string, string> {
  const none = Object.fromEntries(LABEL_COLORS.map((color) => [color, '']))
  return { ...none, ...JSON.parse(stored) }
}
