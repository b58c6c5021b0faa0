import type { Json } from '../document/json.ts'

/** An API as the rest of the service sees it; references are followed, schemas stay in place. */
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
  /** Where it stands in the document, for messages. */
  pointer: string
  id: string | undefined
  summary: string | undefined
  tags: readonly string[]
  deprecated: boolean
  parameters: readonly Parameter[]
  requestBody: RequestBody | undefined
  responses: readonly ResponseModel[]
  /** Any of these will do; an empty list asks for nothing. */
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
  /** Of a list that version 2 separated by something version 3 has no style for. */
  delimiter: string | undefined
  /** JSON pointer of its schema; a parameter may be described by a media type instead. */
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
  /** JSON pointer. */
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
  /** Its name; a single nameless example is called `default`. */
  key: string
  pointer: string
  /** An address instead of a value. */
  externalValue: string | undefined
  value: Json | undefined
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

/** All of these together. */
export type SecurityRequirement = readonly SecurityScheme[]

export interface SecurityScheme {
  /** Its name among the components. */
  key: string
  type: string
  /** Of `http`: basic, bearer, digest … in lower case. */
  scheme: string | undefined
  /** Of `apiKey`. */
  name: string | undefined
  in: string | undefined
}

export interface Server {
  url: string
  variables: ReadonlyMap<string, { default: string; values: readonly string[] }>
}

export interface Callback {
  key: string
  /** A runtime expression that gives the address. */
  expression: string
  operation: Operation
}
