/**
 * A UUID of version 4 that depends only on the name of the property and equals the one of Prism:
 * the string hash of Java seeds the small generator of Bob Jenkins.
 */
export function uuidFor(name: string): string {
  const next = createSmallGenerator(hash(name))
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (site) => {
    const digit = Math.floor(next() * 16)
    return (site === 'x' ? digit : (digit & 3) | 8).toString(16)
  })
}

function hash(text: string): number {
  let sum = 0
  for (let index = 0; index < text.length; index += 1) {
    sum = (Math.imul(sum, 31) + text.charCodeAt(index)) | 0
  }
  return sum
}

function createSmallGenerator(seed: number): () => number {
  let [a, b, c, d] = [seed, seed, seed, seed]
  return () => {
    const t = (a - ((b << 27) | (b >>> 5))) | 0
    a = b ^ ((c << 17) | (c >>> 15))
    b = (c + d) | 0
    c = (d + t) | 0
    d = (a + t) | 0
    return (d >>> 0) / 2 ** 32
  }
}
