/** A line of the response with the tree: a file with its text or with the hash of its bytes. */
export type TreeLine =
  | { path: string; text: string; isPost?: true }
  | { path: string; hash: string }
  | { end: { posts: number } }

/** The file that hosts serve for the path of a page. */
export function pageFile(path: string): string {
  return path === '/' ? 'index.html' : `${path.slice(1)}/index.html`
}
