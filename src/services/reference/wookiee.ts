const SOUNDS: Readonly<Record<string, string>> = {
  a: 'ra',
  b: 'rh',
  c: 'oa',
  d: 'wa',
  e: 'wo',
  f: 'ww',
  g: 'rr',
  h: 'ac',
  i: 'ah',
  j: 'sh',
  k: 'or',
  l: 'an',
  m: 'sc',
  n: 'wh',
  o: 'oo',
  p: 'ak',
  q: 'rq',
  r: 'rc',
  s: 'c',
  t: 'ao',
  u: 'hu',
  v: 'ho',
  w: 'oh',
  x: 'k',
  y: 'ro',
  z: 'uf'
}

export function translate(text: string): string {
  return text.replace(/[a-z]/g, (letter) => SOUNDS[letter] ?? letter)
}

/**
 * Translates keys and strings only. SWAPI translates the serialised bytes, so that its `null` and
 * `\n` become invalid JSON.
 */
export function translateValue(value: unknown): unknown {
  if (typeof value === 'string') return translate(value)
  if (Array.isArray(value)) return value.map(translateValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [translate(key), translateValue(inner)])
  )
}
