/** An answer as far as it can be held against the document. */
export interface Judged {
  status: number
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Content type as sent; nothing without a body. */
  type: string | undefined
  /** The parsed body. Nothing when there is none or it cannot be judged. */
  body: { value: unknown } | undefined
}
