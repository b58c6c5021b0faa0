/** Something the older version has no words for, by its place in the newer document. */
export type Tell = (path: readonly string[], text: string) => void
