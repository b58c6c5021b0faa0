/** Reports a loss in the older version, with the path in the newer document. */
export type Tell = (path: readonly string[], text: string) => void
