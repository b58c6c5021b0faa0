/** A line of an export: a piece of a text file, a stored file, or the end. */
export type ExportLine =
  /** Pieces of a file follow each other. */
  { path: string; text: string; isCard?: true } | { path: string; hash: string } | { end: true }
