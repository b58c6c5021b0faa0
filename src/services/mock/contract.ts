/** Names, statuses and titles that clients of Prism match on. */
const PROBLEMS = {
  NO_RESOURCE_PROVIDED_ERROR: [404, 'Route not resolved, no resource provided'],
  NO_PATH_MATCHED_ERROR: [404, 'Route not resolved, no path matched'],
  NO_METHOD_MATCHED_ERROR: [405, 'Route resolved, but no method matched'],
  NO_SERVER_CONFIGURATION_PROVIDED_ERROR: [
    404,
    'Route not resolved, no server configuration provided'
  ],
  NO_SERVER_MATCHED_ERROR: [404, 'Route not resolved, no server matched'],
  UNAUTHORIZED: [401, 'Invalid security scheme used'],
  UNPROCESSABLE_ENTITY: [422, 'Invalid request'],
  INVALID_CONTENT_TYPE: [415, 'Invalid content type'],
  NOT_ACCEPTABLE: [406, 'The server cannot produce a representation for your accept header'],
  NOT_FOUND: [404, 'The server cannot find the requested content'],
  NO_RESPONSE_RESPONSE_DEFINED: [500, 'No response defined for the selected operation'],
  SCHEMA_TOO_COMPLEX: [500, 'Schema too complex'],
  SCHEMA_UNSATISFIABLE: [500, 'No value found that satisfies the schema'],
  NO_COMPLEX_OBJECT_TEXT: [500, 'Cannot serialise complex objects as text'],
  VIOLATIONS: [500, 'Request/Response not valid'],
  INVALID_JSON: [400, 'Invalid JSON'],
  BODY_TOO_LARGE: [413, 'Request body too large'],
  MALFORMED_REQUEST: [400, 'Malformed HTTP request'],
  RECORD_NOT_FOUND: [404, 'Record not found'],
  RECORD_EXISTS: [409, 'The record already exists'],
  STATE_FULL: [409, 'Too many records'],
  TOO_MANY_HELD: [503, 'Too many delayed requests'],
  STORAGE_FULL: [507, 'No disk space left'],
  STORAGE_UNAVAILABLE: [503, 'Storage unavailable'],
  UPSTREAM_UNREACHABLE: [502, 'Upstream not reachable'],
  TRANSFORM_FAILED: [500, 'A rule failed'],
  HOOK_FAILED: [500, 'A hook failed'],
  UNKNOWN: [500, 'Internal error']
} as const satisfies Record<string, readonly [number, string]>

export type ProblemName = keyof typeof PROBLEMS

const TYPE_BASE = 'https://stoplight.io/prism/errors#'

export const PROBLEM_TYPE = 'application/problem+json'

/** Problem details (RFC 9457), with further members. */
export interface ProblemBody extends Record<string, unknown> {
  detail: string
  code: string
}

/** Error response that replaces a response of the mocked API. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: ProblemName
  readonly status: number
  /** Further members of the body, such as `validation`. */
  readonly members: Readonly<Record<string, unknown>>
  /** Further headers of the response, such as `allow`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ProblemName,
    detail: string,
    {
      members = {},
      headers = {}
    }: {
      members?: Readonly<Record<string, unknown>>
      headers?: Readonly<Record<string, string>>
    } = {}
  ) {
    super(detail)
    this.code = code
    this.status = PROBLEMS[code][0]
    this.members = members
    this.headers = headers
  }

  /** For Fastify: an error without it is reported as a defect, with its stack. */
  get statusCode(): number {
    return this.status
  }

  get body(): ProblemBody {
    const { code, status, message: detail, members } = this
    return { type: TYPE_BASE + code, title: PROBLEMS[code][1], status, detail, code, ...members }
  }
}
