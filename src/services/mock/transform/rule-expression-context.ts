import { randomUUID } from 'node:crypto'
import { formatUuid } from '../../../kernel/uuid.ts'
import type { Exchange } from '../engine/exchange.ts'
import type { ExpressionContext, Generators } from '../expression/expression-context.ts'
import { urlOf } from '../expression/url.ts'
import { type Chance, createChance } from '../generate/chance.ts'
import { fake, REFERENCE_DATE } from '../generate/faker.ts'
import { NOTHING } from '../generate/value.ts'
import { decodePercent } from '../request/percent.ts'
import { parseQuery } from '../request/query-string.ts'
import { bodyOf } from './body-value.ts'
import { bodyValue, headerText, type MessageDraft } from './message-draft.ts'
import type { Rule } from './rule.ts'

/** Reads a value of the stored state. */
export type ReadState = (
  session: string | undefined,
  collection: string,
  pointer: string
) => Promise<unknown>

const MAX_SEED = 0xffff_ffff

/**
 * Values of an exchange for the expressions of its rules. Messages that are drafts are read in
 * their current state. A class, because one is created for each exchange and closures cost more.
 */
export class RuleExpressionContext implements ExpressionContext {
  readonly #exchange: Exchange
  readonly #request: MessageDraft | undefined
  readonly #response: MessageDraft | undefined
  readonly #readState: ReadState | undefined
  #rule: Rule | undefined
  #generators: RuleGenerators | undefined

  constructor(
    exchange: Exchange,
    {
      request,
      response
    }: { request: MessageDraft | undefined; response: MessageDraft | undefined },
    readState: ReadState | undefined
  ) {
    this.#exchange = exchange
    this.#request = request
    this.#response = response
    this.#readState = readState
  }

  url(): string {
    return urlOf(this.#exchange.incoming)
  }

  method(): string {
    return this.#exchange.incoming.method
  }

  status(): number | undefined {
    return this.#response?.status
  }

  path(name: string): unknown {
    const { pathValues, values } = this.#exchange
    const key = name.toLowerCase()
    if (values !== undefined && Object.hasOwn(values.path, key)) return values.path[key]
    const found = [...(pathValues ?? [])].find(([one]) => one.toLowerCase() === key)
    return found && decodePercent(found[1])
  }

  query(name: string): unknown {
    const { values, incoming } = this.#exchange
    const key = name.toLowerCase()
    if (values !== undefined && Object.hasOwn(values.query, key)) return values.query[key]
    const { pairs } = parseQuery(this.#request?.query ?? incoming.query)
    return pairs.find((pair) => pair.name === name)?.value
  }

  requestHeader(name: string): unknown {
    return headerText(this.#request?.headers ?? this.#exchange.incoming.headers, name)
  }

  requestBody(): unknown {
    return this.#request === undefined ? bodyOf(this.#exchange) : bodyValue(this.#request)
  }

  responseHeader(name: string): unknown {
    return this.#response && headerText(this.#response.headers, name)
  }

  responseBody(): unknown {
    return this.#response && bodyValue(this.#response)
  }

  get generators(): RuleGenerators {
    this.#generators ??= createGenerators(this.#exchange, this.#readState, this.#rule)
    return this.#generators
  }

  startRule(rule: Rule): void {
    this.#rule = rule
    this.#generators?.startRule(rule)
  }

  /** Loads the collections a rule reads; they are undefined before. */
  loadCollections(collections: readonly string[]): Promise<void> {
    return this.generators.loadCollections(collections)
  }
}

interface RuleGenerators extends Generators {
  startRule: RuleExpressionContext['startRule']
  loadCollections: RuleExpressionContext['loadCollections']
}

/** With a seed, random values and the clock are repeatable. */
function createGenerators(
  { session, seed }: Exchange,
  readState: ReadState | undefined,
  entered: Rule | undefined
): RuleGenerators {
  let rule = entered
  let counted: number | undefined
  let chance: Chance | undefined
  let gathered: ReadonlyMap<string, unknown> | undefined

  function seeded(): Chance {
    chance ??= createChance(`${seed ?? randomUUID()} ${rule?.order}`)
    return chance
  }

  return {
    startRule(next) {
      rule = next
      counted = undefined
      chance = undefined
    },
    async loadCollections(collections) {
      if (readState === undefined) return
      gathered = new Map(
        await Promise.all(
          collections.map(async (one) => [one, await readState(session, one, '')] as const)
        )
      )
    },
    uuid: () => (seed === undefined ? randomUUID() : seededUuid(seeded())),
    now: () => (seed === undefined ? new Date().toISOString() : REFERENCE_DATE),
    seq() {
      counted ??= rule?.count(session) ?? 0
      return counted
    },
    faker(method) {
      const datesFromNow = seed === undefined
      const value = fake(method, seeded().whole(0, MAX_SEED), { datesFromNow })
      return value === NOTHING ? undefined : value
    },
    state: (collection) => gathered?.get(collection)
  }
}

/** A UUID of version 4 from seeded numbers. */
function seededUuid(chance: Chance): string {
  return formatUuid(
    Uint8Array.from({ length: 16 }, () => chance.whole(0, 255)),
    4
  )
}
