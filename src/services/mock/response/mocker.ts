import { createCache } from '../../../kernel/cache.ts'
import { after } from '../after.ts'
import { Problem } from '../contract.ts'
import type { Json } from '../document/json.ts'
import type { EngineOptions } from '../engine/options.ts'
import { type Diagnostic, MAX_TEXT_BYTES, type SentBody } from '../message.ts'
import type { MediaType, Operation, ResponseModel } from '../model/api.ts'
import type { Preferences } from '../request/preferences.ts'
import type { ServedApi } from '../served-api.ts'
import { concreteType, writeBody } from './body-text.ts'
import { checkHeaders } from './check-headers.ts'
import { checkResponse } from './check-response.ts'
import { type Choice, chooseForced, chooseRejection, chooseUsual } from './choose-response.ts'
import { type ContentOptions, makeContent } from './content-value.ts'
import { type Headers, makeHeaders } from './headers.ts'
import { type Content, negotiate, negotiateRejection } from './negotiate.ts'
import { createXmlWriter } from './xml.ts'

/** A response created from the document. */
export interface Mocked {
  response: ResponseModel
  status: number
  headers: Headers
  value: Json | undefined
  body: SentBody | undefined
  /** Key of the example that was used. */
  example: string | undefined
  diagnostics: readonly Diagnostic[]
  /** Whether it is the same object for every equal request. */
  isPrepared: boolean
}

type Drawn = Omit<Mocked, 'diagnostics' | 'isPrepared'>

export interface Mocker {
  /** The response to a valid request; a promise if its body takes long to generate. */
  respond: (preferences: Preferences, accept: string | undefined) => Mocked | Promise<Mocked>
  /** The documented response to an invalid request; undefined if the document has none. */
  reject: (
    expected: readonly number[],
    preferences: Preferences,
    accept: string | undefined
  ) => Mocked | Promise<Mocked> | undefined
}

type Outcome = Mocked | Problem

/** Clients send few different `Accept` headers; a hostile client must not fill the memory. */
const MAX_PREPARED = 32

/** Approximate memory of a prepared response without its body, and of its body with its value. */
const PREPARED_BYTES = 2000
const BYTES_PER_CHARACTER = 4

/**
 * Creates the responses of one operation; responses that never change are created once. `spend` is
 * called with the approximate size of each of them.
 */
export function createMocker(
  served: ServedApi,
  operation: Operation,
  options: EngineOptions,
  spend: (bytes: number) => void
): Mocker {
  const prepared = createCache<Outcome | Promise<Outcome>>(MAX_PREPARED)
  const writeContent = createContentWriter(served, spend)

  function makingOf(preferences: Preferences): ContentOptions {
    return {
      example: preferences.example,
      dynamic: preferences.dynamic ?? options.dynamic,
      seed: preferences.seed ?? options.seed,
      ignoreExamples: options.ignoreExamples,
      fillProperties: options.fillProperties,
      side: 'response'
    }
  }

  function make(
    { response, status }: Choice,
    content: Content | undefined,
    making: ContentOptions
  ): Mocked | Promise<Mocked> {
    const headers = makeHeaders(served, operation, response, making)
    const written =
      content === undefined || operation.method === 'HEAD' || isBodiless(status)
        ? undefined
        : writeContent(content, making)
    return after(written, (one) => {
      if (one?.body !== undefined) headers['content-type'] = one.type
      const { value, body, example } = one ?? NO_CONTENT
      // An object without a prototype is slow to copy, and each response starts with a copy.
      const drawn = { response, status, headers: { ...headers }, value, body, example }
      const diagnostics = options.validateResponse ? judge(drawn) : []
      return { ...drawn, diagnostics, isPrepared: !making.dynamic }
    })
  }

  /** Generated bodies are valid by construction; only examples of the author need validation. */
  function judge({ response, status, headers, value, example }: Drawn): Diagnostic[] {
    if (example === undefined) return checkHeaders(served, response, headers)
    const type = headers['content-type']
    return checkResponse(served, operation, { status, headers, type, body: { value } })
  }

  function chooseResponse(
    code: string | undefined,
    making: ContentOptions,
    accept: string | undefined
  ): Mocked | Promise<Mocked> {
    if (code === undefined) return tryChoice(chooseUsual(operation), making, accept)
    const forced = chooseForced(operation, Number(code))
    return after(
      attempt(() => tryChoice(forced, making, accept)),
      (first) => {
        if (!(first instanceof Problem)) return first
        return after(
          attempt(() => tryChoice(chooseUsual(operation), making, accept)),
          (second) => {
            // If neither is possible, the error describes the response that the client requested.
            if (second instanceof Problem) throw first
            return second
          }
        )
      }
    )
  }

  function tryChoice(choice: Choice, making: ContentOptions, accept: string | undefined) {
    return make(choice, negotiate(choice.response, choice.status, accept), making)
  }

  /** Errors are cached too, because they are as constant as responses and take longer to find. */
  function once(
    wish: string,
    accept: string | undefined,
    making: ContentOptions,
    make: () => Mocked | Promise<Mocked>
  ): Mocked | Promise<Mocked> {
    if (making.dynamic) return make()
    const example = making.example === undefined ? '' : `=${making.example}`
    const key = `${wish}\n${accept}\n${example}`
    const outcome = prepared.getOrCreate(key, () => {
      spend(PREPARED_BYTES)
      return attempt(make)
    })
    if (!(outcome instanceof Promise)) return unwrap(outcome)
    // Until it is ready, equal requests wait for the same body.
    return outcome.then(
      (ready) => {
        prepared.set(key, ready)
        return unwrap(ready)
      },
      (error) => {
        prepared.delete(key)
        throw error
      }
    )
  }

  return {
    respond(preferences, accept) {
      const { code } = preferences
      const making = makingOf(preferences)
      return once(`${code}`, accept, making, () => chooseResponse(code, making, accept))
    },
    reject(expected, preferences, accept) {
      const choice = chooseRejection(operation, expected)
      if (choice === undefined) return undefined
      const making = makingOf(preferences)
      if (!expected.includes(Number(preferences.code))) making.example = undefined
      return once(`refused ${choice.status}`, accept, making, () =>
        make(choice, negotiateRejection(choice.response, accept), making)
      )
    }
  }
}

function attempt(make: () => Mocked | Promise<Mocked>): Outcome | Promise<Outcome> {
  try {
    const made = make()
    return made instanceof Promise ? made.catch(problemIn) : made
  } catch (error) {
    return problemIn(error)
  }
}

function problemIn(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

function unwrap(outcome: Outcome): Mocked {
  if (outcome instanceof Problem) throw outcome
  return outcome
}

interface Written {
  type: string
  value: Json | undefined
  body: SentBody | undefined
  example: string | undefined
}

const NO_CONTENT = { value: undefined, body: undefined, example: undefined }

/** Caches contents of types that the document names; their number is limited by the document. */
function createContentWriter(served: ServedApi, spend: (bytes: number) => void) {
  const kept = new Map<MediaType, Map<string, Written>>()

  function write(
    { media, type: wanted }: Content,
    making: ContentOptions
  ): Written | Promise<Written> {
    return after(makeContent(served, media, making), ({ value, example, bytes }): Written => {
      if (value === undefined) return { type: media.type, value, body: undefined, example }
      const type = wanted ?? concreteType(media.type, value)
      const body = bytes ?? writeBody(type, value, createXmlWriter(served.document, media.schema))
      return { type, value, body: making.dynamic ? body : prepare(body), example }
    })
  }

  return function writeContent(
    content: Content,
    making: ContentOptions
  ): Written | Promise<Written> {
    const { media, type } = content
    if (making.dynamic || type !== media.type) return write(content, making)
    const known = kept.get(media) ?? new Map<string, Written>()
    kept.set(media, known)
    const key = making.example === undefined ? '' : `=${making.example}`
    const ready = known.get(key)
    if (ready !== undefined) return ready
    return after(write(content, making), (written) => {
      known.set(key, written)
      spend((written.body?.length ?? 0) * BYTES_PER_CHARACTER)
      return written
    })
  }
}

/** Copies the body out of the buffer pool, so that caching it does not keep the pool alive. */
function prepare(body: Buffer): SentBody {
  if (body.length <= MAX_TEXT_BYTES) return body.toString('latin1')
  return Buffer.from(new Uint8Array(body).buffer)
}

/** By RFC 9110, these statuses have no content. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304
}
