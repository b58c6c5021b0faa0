/** Values of one exchange that expressions can read; some are undefined until a later phase. */
export interface ExpressionContext {
  /** URL as requested by the client. */
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
  /** Undefined outside of rules. */
  generators: Generators | undefined
}

/** The closed set of values that an expression can generate. */
export interface Generators {
  uuid: () => string
  now: () => string
  seq: () => number
  faker: (method: string) => unknown
  /** All records of a collection; undefined if it does not exist. */
  state: (collection: string) => unknown
}
