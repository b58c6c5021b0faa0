/** What expressions may speak of: one exchange, as far as it has come. */
export interface ExpressionContext {
  /** As the client called it. */
  url: () => string
  method: () => string
  status: () => number | undefined
  path: (name: string) => unknown
  /** First value of a query parameter. */
  query: (name: string) => unknown
  requestHeader: (name: string) => unknown
  requestBody: () => unknown
  responseHeader: (name: string) => unknown
  responseBody: () => unknown
  /** Only rules have these. */
  generators: Generators | undefined
}

/** The closed set of what an expression may make up. */
export interface Generators {
  uuid: () => string
  now: () => string
  seq: () => number
  faker: (method: string) => unknown
  /** All items of a collection; nothing when there is none of that name. */
  state: (collection: string) => unknown
}
