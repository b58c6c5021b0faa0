import { canonical } from '../../../kernel/json-equality.ts'
import type { Json } from '../document/json.ts'
import type {
  Example,
  MediaType,
  Operation,
  ParameterLocation,
  ResponseModel
} from '../model/api.ts'
import type { RequestValues } from '../request/check.ts'

/** The response example that corresponds to a request. */
export interface Paired {
  /** Three digits. */
  code: string
  example: string
}

/** Finds the response example for a request; undefined if the request equals no request example. */
export type Pairing = (values: RequestValues) => Paired | undefined

interface Condition {
  location: ParameterLocation
  /** In lower case. */
  name: string
  value: string
}

interface Rule {
  paired: Paired
  conditions: readonly Condition[]
  /** Accepted bodies; undefined if any body is accepted. */
  bodies: readonly string[] | undefined
}

/**
 * A request example and a response example of the same name are a rule: a request that equals the
 * first gets the second. Undefined if the operation has no such pair.
 */
export function createPairing(operation: Operation): Pairing | undefined {
  const rules = [...responsesOf(operation)]
    .flatMap(([example, code]) => ruleOf(operation, { code, example }))
    .sort((one, other) => weightOf(other) - weightOf(one))
  if (rules.length === 0) return undefined

  return function findPair(values) {
    let body: string | undefined
    const found = rules.find(({ conditions, bodies }) => {
      if (!conditions.every((condition) => isMet(condition, values))) return false
      if (bodies === undefined) return true
      body ??= values.body === undefined ? '' : canonical(values.body)
      return bodies.includes(body)
    })
    return found?.paired
  }
}

/** Rules with more conditions are tried first. */
function weightOf({ conditions, bodies }: Rule): number {
  return conditions.length + (bodies === undefined ? 0 : 1)
}

function isMet({ location, name, value }: Condition, values: RequestValues): boolean {
  const given = values[location][name]
  return given !== undefined && textOf(given) === value
}

function ruleOf({ parameters, requestBody }: Operation, paired: Paired): Rule[] {
  const conditions = parameters.flatMap((parameter): Condition[] => {
    const { name, in: location, examples, content } = parameter
    const value = exampleValue([...examples, ...(content?.examples ?? [])], paired.example)
    return value === undefined ? [] : [{ location, name: name.toLowerCase(), value: textOf(value) }]
  })
  const bodies = (requestBody?.contents ?? []).flatMap(({ examples }) => {
    const value = exampleValue(examples, paired.example)
    return value === undefined ? [] : [canonical(value)]
  })
  if (conditions.length === 0 && bodies.length === 0) return []
  return [{ paired, conditions, bodies: bodies.length === 0 ? undefined : bodies }]
}

/** A parameter is sent as a string, whatever type the example has. */
function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? canonical(value) : String(value)
}

function exampleValue(examples: readonly Example[], key: string): Json | undefined {
  return examples.filter(isNamed).find((example) => example.key === key)?.value
}

/** The single `example` has no name. */
function isNamed({ pointer }: Example): boolean {
  return !pointer.endsWith('/example')
}

/** Names of response examples and the status of their response; the first response is used. */
function responsesOf({ responses }: Operation): ReadonlyMap<string, string> {
  const namedResponses = new Map<string, string>()
  for (const response of responses) {
    const code = codeOf(response, responses)
    if (code === undefined) continue
    for (const name of namesIn(response.contents)) {
      if (!namedResponses.has(name)) namedResponses.set(name, code)
    }
  }
  return namedResponses
}

function namesIn(contents: readonly MediaType[]): string[] {
  return contents.flatMap(({ examples }) => examples.filter(isNamed).map(({ key }) => key))
}

/** A status that selects this response: its own code, or the first free one of its range. */
function codeOf({ code }: ResponseModel, responses: readonly ResponseModel[]): string | undefined {
  if (/^\d{3}$/.test(code)) return code
  const taken = responses.map((response) => response.code)
  const hundreds = code === 'default' ? defaultRange(taken) : Number(code[0])
  if (hundreds === undefined) return undefined
  for (let status = hundreds * 100; status < hundreds * 100 + 100; status++) {
    if (!taken.includes(String(status))) return String(status)
  }
  return undefined
}

/** `default` is a success if no success is documented, otherwise an error. */
function defaultRange(taken: readonly string[]): number | undefined {
  const isFree = (range: number) => !taken.includes(`${range}XX`)
  if (!taken.some((code) => code.startsWith('2'))) return 2
  return [5, 4].find(isFree)
}
