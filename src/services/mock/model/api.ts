import type { Json } from '../document/json.ts'

/** An API as the rest of the service sees it; references are resolved except those of schemas. */
export interface Api {
  title: string
  operations: readonly Operation[]
  webhooks: readonly Operation[]
}

export interface Operation {
  /** Upper case. */
  method: string
  /** The template as written, such as `/pets/{id}`. */
  path: string
  /** JSON pointer to the operation, for messages. */
  pointer: string
  id: string | undefined
  summary: string | undefined
  tags: readonly string[]
  deprecated: boolean
  parameters: readonly Parameter[]
  requestBody: RequestBody | undefined
  responses: readonly ResponseModel[]
  /** One of these requirements has to be met; an empty array requires nothing. */
  security: readonly SecurityRequirement[]
  servers: readonly Server[]
  callbacks: readonly Callback[]
}

export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie'

export interface Parameter {
  name: string
  in: ParameterLocation
  required: boolean
  deprecated: boolean
  style: string
  explode: boolean
  allowReserved: boolean
  /** Separator of arrays in version 2 for which version 3 has no style. */
  delimiter: string | undefined
  /** JSON pointer to the schema; undefined if the parameter is described by a media type. */
  schema: string | undefined
  content: MediaType | undefined
  examples: readonly Example[]
}

export interface RequestBody {
  required: boolean
  contents: readonly MediaType[]
}

export interface MediaType {
  /** As written, parameters included. */
  type: string
  /** JSON pointer to the schema. */
  schema: string | undefined
  examples: readonly Example[]
  encoding: ReadonlyMap<string, Encoding>
}

export interface Encoding {
  contentType: string | undefined
  style: string | undefined
  explode: boolean | undefined
  allowReserved: boolean
  delimiter: string | undefined
}

export interface Example {
  /** Name of the example; a single unnamed example is called `default`. */
  key: string
  pointer: string
  /** URL of the value, instead of the value. */
  externalValue: string | undefined
  value: Json | undefined
  /** The body as it is sent, if it is external. */
  bytes?: Buffer | undefined
}

export interface ResponseModel {
  /** Three digits, a range such as `4XX`, or `default`. */
  code: string
  pointer: string
  contents: readonly MediaType[]
  headers: readonly ResponseHeader[]
}

export interface ResponseHeader {
  name: string
  required: boolean
  explode: boolean
  schema: string | undefined
  content: MediaType | undefined
  examples: readonly Example[]
}

/** All of these schemes are required together. */
export type SecurityRequirement = readonly SecurityScheme[]

export interface SecurityScheme {
  /** Name of the scheme in the components. */
  key: string
  type: string
  /** For type `http`: basic, bearer, digest … in lower case. */
  scheme: string | undefined
  /** For type `apiKey`. */
  name: string | undefined
  in: string | undefined
}

export interface Server {
  url: string
  variables: ReadonlyMap<string, { default: string; values: readonly string[] }>
}

export interface Callback {
  key: string
  /** A runtime expression that results in a URL. */
  expression: string
  operation: Operation
}
