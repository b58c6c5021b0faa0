/** A file of a multipart body, stored in the upload folder until the response is sent. */
export interface InputFile {
  readonly path: string
  readonly name: string
  readonly mediaType: string
  readonly size: number
  /** In hexadecimal digits. */
  readonly sha256: string
}

/**
 * Parameters of a request: a value of the body counts before one of the query. Without `key`,
 * `token` and the like. Values of JSON bodies keep their types.
 */
export interface Input {
  readonly values: ReadonlyMap<string, unknown>
  /** By field name; of several with the same name the last. */
  readonly files: ReadonlyMap<string, InputFile>
  /** In their order. */
  readonly allFiles?: readonly InputFile[]
}

/** Parameters that are no input of handlers: they tell who sends the request. */
export const CREDENTIAL_NAMES: ReadonlySet<string> = new Set([
  'key',
  'token',
  'oauth_token',
  'oauth_consumer_key'
])

/** Of these the values are tokens. */
export const TOKEN_NAMES: readonly string[] = ['token', 'oauth_token']
