import { after } from '../after.ts'
import type { Problem } from '../contract.ts'
import type { Diagnostic, Incoming } from '../message.ts'
import type { Operation, ParameterLocation } from '../model/api.ts'
import type { Schemas } from '../schema/schemas.ts'
import { createSecurityCheck } from '../security/check.ts'
import { createBodyCheck } from './body.ts'
import { parseCookies } from './cookies.ts'
import {
  createFieldReaders,
  createHeaderReaders,
  createPathReaders,
  type PathValues
} from './parameter-readers.ts'
import { createLocationCheck, type Reader } from './parameters.ts'
import { parseQuery, type Query } from './query-string.ts'
import { createSchemaSummaries } from './schema-summary.ts'
import type { Members } from './text-value.ts'

export interface CheckOptions {
  /** The parsed query, if the caller has it already. */
  query?: Query
  /** If false, values are read, but only security is reported. */
  validate?: boolean
  security?: boolean
}

export interface RequestValues {
  path: Members
  query: Members
  header: Members
  cookie: Members
  /** Undefined if there is no body, or if it cannot be read. */
  body: unknown
}

export interface RequestCheck {
  /** Security first, then parameters, then the body. */
  diagnostics: readonly Diagnostic[]
  challenges: readonly string[]
  /**
   * Set if the body is not valid JSON. Not thrown: security takes precedence, and a proxy forwards
   * the body anyway.
   */
  malformed: Problem | undefined
  values: RequestValues
}

export interface Checker {
  check: (
    incoming: Incoming,
    pathValues: PathValues,
    options?: CheckOptions
  ) => RequestCheck | Promise<RequestCheck>
}

const NO_MEMBERS: Members = Object.freeze(Object.create(null))
const NO_OPTIONS: CheckOptions = {}
const NO_CHALLENGES: readonly string[] = []

/** Checks requests of one operation; validators are prepared at the first request. */
export function createRequestCheck(operation: Operation, schemas: Schemas): Checker {
  let check: Checker['check'] | undefined
  return {
    check(incoming, pathValues, options = NO_OPTIONS) {
      check ??= prepare(operation, schemas)
      return check(incoming, pathValues, options)
    }
  }
}

function prepare(operation: Operation, schemas: Schemas): Checker['check'] {
  const shapes = createSchemaSummaries(schemas.view('request'))
  const checkSecurity = createSecurityCheck(operation.security)
  const locationCheck = <Source>(name: ParameterLocation, readers: readonly Reader<Source>[]) =>
    createLocationCheck(name, operation.pointer, readers, schemas)
  const checkPath = locationCheck('path', createPathReaders(operation, shapes))
  const checkQuery = locationCheck('query', createFieldReaders(operation, 'query', shapes))
  const checkHeader = locationCheck('header', createHeaderReaders(operation, shapes))
  const checkCookie = locationCheck('cookie', createFieldReaders(operation, 'cookie', shapes))
  const checkBody = createBodyCheck(operation.requestBody, schemas, shapes)

  return function checkRequest(incoming, pathValues, options = NO_OPTIONS) {
    const { headers } = incoming
    const query = options.query ?? parseQuery(incoming.query)
    const isSecured = checkSecurity !== undefined && options.security !== false
    const cookies = () => parseCookies(headers.cookie)
    const security = isSecured ? checkSecurity({ headers, query, cookies }) : undefined
    const diagnostics: Diagnostic[] = []
    const values: RequestValues = {
      path: checkPath?.(pathValues, diagnostics) ?? NO_MEMBERS,
      query: checkQuery?.(query, diagnostics) ?? NO_MEMBERS,
      header: checkHeader?.(headers, diagnostics) ?? NO_MEMBERS,
      cookie: checkCookie?.(asFields(cookies()), diagnostics) ?? NO_MEMBERS,
      body: undefined
    }

    function finish(value: unknown, malformed: Problem | undefined): RequestCheck {
      values.body = value
      const found = options.validate === false ? [] : diagnostics
      return {
        diagnostics: security === undefined ? found : [...security.diagnostics, ...found],
        challenges: security?.challenges ?? NO_CHALLENGES,
        malformed: options.validate === false ? undefined : malformed,
        values
      }
    }

    return after(checkBody(incoming, diagnostics), ({ value, malformed }) =>
      finish(value, malformed)
    )
  }
}

function asFields(byName: ReturnType<typeof parseCookies>) {
  return { pairs: [...byName.values()].flat(), byName }
}
