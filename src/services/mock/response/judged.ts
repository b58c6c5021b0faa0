/** The parts of a response that can be validated against the document. */
export interface Judged {
  status: number
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Content type as sent; undefined without a body. */
  type: string | undefined
  /** The parsed body; undefined if there is no body, or if it cannot be validated. */
  body: { value: unknown } | undefined
}
