import type { Problem } from '../contract.ts'
import type { Exchange } from '../engine/exchange.ts'
import type { Pauses } from '../engine/pauses.ts'
import type { Incoming } from '../message.ts'
import type { Match } from '../routing/router.ts'
import type { ServedApi } from '../served-api.ts'
import { changeAnswer } from './answer-phase.ts'
import { applyRules } from './apply.ts'
import { Cut } from './cut.ts'
import { bodyFrom, changeRequest, draftOf, type RequestPhase } from './request-phase.ts'
import type { RuleBook } from './rule-book.ts'
import { createScene, type ReadState } from './scene.ts'

/** What rules need besides the exchange. */
export interface Room {
  book: RuleBook
  pauses: Pauses
  maxBodyBytes: number
  readState: ReadState | undefined
}

/** A request as it is sent on. */
export interface SentOn {
  incoming: Incoming
  path: string
  /** Nothing when the body is still the client's. */
  body: Buffer | undefined
}

/** Lets the rules have their say, phase by phase. */
export interface Transformer {
  book: RuleBook
  request: (exchange: Exchange, phase: RequestPhase) => Promise<Match<ServedApi> | Problem>
  upstream: (exchange: Exchange, path: string) => Promise<SentOn>
  /** Whether there were rules at all, so that the answer is another than before. */
  answer: (exchange: Exchange, phase: 'response' | 'final') => Promise<boolean>
}

export function createTransformer(room: Room): Transformer {
  return {
    book: room.book,
    request: (exchange, phase) => changeRequest(room, exchange, phase),
    answer: (exchange, phase) => changeAnswer(room, exchange, phase),
    async upstream(exchange, path) {
      const { incoming } = exchange
      const rules = room.book.of(exchange.operation).byPhase.upstream
      const draft = draftOf(exchange, path)
      const scene = createScene(exchange, { request: draft, response: undefined }, room.readState)
      const fault = await applyRules(rules, { ...room, exchange, draft, scene })
      if (fault !== undefined) throw new Cut(fault)
      const body = bodyFrom(exchange, draft)
      const headers = draft.headers as Incoming['headers']
      return { incoming: { ...incoming, query: draft.query, headers }, path: draft.path, body }
    }
  }
}
