/** `#rrggbb` of a pixel with 8 bits per channel; undefined if it is transparent. */
export function colorOf(pixel: Buffer, channels: number): string | undefined {
  const [first = 0, second = 0, third = 0, alpha] = pixel
  const isGrey = channels < 3
  const opacity = isGrey ? second : alpha
  const hasAlpha = channels === 2 || channels === 4
  if (hasAlpha && opacity === 0) return undefined
  const bytes = isGrey ? [first, first, first] : [first, second, third]
  return `#${Buffer.from(bytes).toString('hex')}`
}
