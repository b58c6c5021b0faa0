type Rgb = readonly [number, number, number]

const WORDS: Readonly<Record<string, string>> = {
  amber: '#d98a1f',
  ash: '#8d8a86',
  auburn: '#7a3b22',
  bark: '#6b4a32',
  black: '#26262b',
  blond: '#e0bd73',
  blonde: '#e0bd73',
  blue: '#4a7fb5',
  brass: '#b5913f',
  bronze: '#9a6b3a',
  brown: '#6e4528',
  chestnut: '#7d4630',
  clear: '#cfe3e6',
  copper: '#b8683c',
  cream: '#efe2c4',
  dark: '#4a2f22',
  dun: '#b59b74',
  ember: '#c2492c',
  fair: '#f0cdb0',
  glass: '#bfe0dc',
  gold: '#d9a92e',
  golden: '#d9a92e',
  granite: '#7f8083',
  green: '#5d8f5a',
  grey: '#8f959b',
  gray: '#8f959b',
  hazel: '#8a6b34',
  hull: '#66707a',
  iron: '#5b5f66',
  leaf: '#5f9a4b',
  light: '#f0cdb0',
  metal: '#8d949b',
  milky: '#e9ecec',
  moss: '#77804a',
  mud: '#77684a',
  ochre: '#c18a3d',
  olive: '#a98a5c',
  orange: '#d9772f',
  pale: '#f3dfcf',
  pink: '#e3a3ac',
  plate: '#6f7880',
  porcelain: '#f2efea',
  purple: '#7d5a9c',
  quartz: '#d9c9dd',
  red: '#b23a34',
  rose: '#d98f9b',
  ruddy: '#dc9f80',
  russet: '#8f4a26',
  sand: '#d8bb86',
  silver: '#c3c8cd',
  slate: '#5f6b78',
  spotted: '#7c8f5a',
  tan: '#cf9f72',
  tawny: '#b98245',
  teal: '#3f8f8d',
  tin: '#a3a8a9',
  translucent: '#cfdfe3',
  turquoise: '#3fa9a3',
  violet: '#75509b',
  white: '#f1f0ec',
  yellow: '#e3c43f'
}

/** Mixes the colours named before the first comma; undefined if it names no colour. */
export function colourOf(text: string): string | undefined {
  const [first = ''] = text.toLowerCase().split(',')
  const named = first
    .split(/[^a-z]+/)
    .flatMap((word) => (Object.hasOwn(WORDS, word) ? [WORDS[word] ?? ''] : []))
  return named.length === 0 ? undefined : named.reduce((one, other) => mix(one, other, 0.5))
}

/** `share` 0 is the first colour, 1 the second. */
export function mix(first: string, second: string, share: number): string {
  const from = parse(first)
  const to = parse(second)
  return format(from.map((part, index) => part + ((to[index] ?? 0) - part) * share))
}

export function darker(colour: string, share = 0.35): string {
  return mix(colour, '#0d1017', share)
}

export function lighter(colour: string, share = 0.35): string {
  return mix(colour, '#ffffff', share)
}

function parse(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 0xff, value & 0xff]
}

function format(parts: readonly number[]): string {
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

/** Muted colours for backgrounds. */
export const GROUNDS = [
  '#2f4858',
  '#3d405b',
  '#4a4e69',
  '#335c67',
  '#5b4b49',
  '#3f5e4f',
  '#5c4d7d',
  '#6b4f3a',
  '#274c5e',
  '#58484f',
  '#41533b',
  '#34466e'
] as const

export const CLOTHS = [
  '#c8553d',
  '#588b8b',
  '#e0a458',
  '#7b6d8d',
  '#3d5a80',
  '#98473e',
  '#6a994e',
  '#bc8a5f',
  '#457b9d',
  '#a26769',
  '#e9c46a',
  '#8d99ae'
] as const
