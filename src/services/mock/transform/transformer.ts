import type { Problem } from '../contract.ts'
import type { Exchange } from '../engine/exchange.ts'
import { hookRequest, hookResponse } from '../hooks/call-hooks.ts'
import type { Incoming } from '../message.ts'
import type { Match } from '../routing/router.ts'
import type { ServedApi } from '../served-api.ts'
import { changeAnswer } from './answer-phase.ts'
import { applyRules } from './apply.ts'
import type { Room } from './context.ts'
import { Cut } from './cut.ts'
import { bodyFrom, changeRequest, draftOf, findAgain, type RequestPhase } from './request-phase.ts'
import type { RuleBook } from './rule-book.ts'
import { Scene } from './scene.ts'

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
  /** Whether code of the operator wants to see every answer. */
  hooksAnswers: boolean
  /** Whether anybody has a say before the request is checked. */
  changesRequests: boolean
  /** Whether anybody has a say about the answer, so that nobody is asked in vain. */
  changesAnswer: (exchange: Exchange, phase: 'response' | 'final') => boolean
  request: (exchange: Exchange, phase: RequestPhase) => Promise<Match<ServedApi> | Problem>
  upstream: (exchange: Exchange, path: string) => Promise<SentOn>
  /** Equal for exchanges of which the rules make the same; nothing when nobody can tell. */
  keyOf: (exchange: Exchange) => string | undefined
  /** Whether there were rules at all, so that the answer is another than before. */
  answer: (exchange: Exchange, phase: 'response' | 'final') => boolean | Promise<boolean>
}

const NO_DRAFTS = { request: undefined, response: undefined }

export function createTransformer(room: Room): Transformer {
  const { hooks } = room
  const hooksAnswers = hooks?.has('onResponse') === true

  async function changeAndHook(exchange: Exchange): Promise<boolean> {
    const isChanged = await changeAnswer(room, exchange, 'response')
    if (hooks === undefined) return isChanged
    await hookResponse(hooks, exchange)
    return true
  }

  return {
    book: room.book,
    hooksAnswers,
    changesRequests:
      hooks?.has('onRequest') === true || room.book.rules.some(({ phase }) => phase === 'request'),
    changesAnswer: ({ operation }, phase) =>
      (hooksAnswers && phase === 'response') || room.book.of(operation).byPhase[phase].length > 0,
    async request(exchange, phase) {
      const match = await changeRequest(room, exchange, phase)
      if (hooks?.has('onRequest') !== true) return match
      await phase.hold(exchange)
      exchange.isAnswered = await hookRequest(hooks, exchange)
      return exchange.isAnswered ? match : findAgain(exchange, phase)
    },
    answer: (exchange, phase) =>
      hooksAnswers && phase === 'response'
        ? changeAndHook(exchange)
        : changeAnswer(room, exchange, phase),
    keyOf(exchange) {
      const { answerKey } = room.book.of(exchange.operation)
      if (answerKey === undefined || hooksAnswers) return undefined
      return answerKey(new Scene(exchange, NO_DRAFTS, room.readState))
    },
    async upstream(exchange, path) {
      const { incoming } = exchange
      const rules = room.book.of(exchange.operation).byPhase.upstream
      const draft = draftOf(exchange, path)
      const scene = new Scene(exchange, { request: draft, response: undefined }, room.readState)
      const fault = await applyRules(rules, { ...room, exchange, draft, scene })
      if (fault !== undefined) throw new Cut(fault)
      const body = bodyFrom(exchange, draft)
      const headers = draft.headers as Incoming['headers']
      return { incoming: { ...incoming, query: draft.query, headers }, path: draft.path, body }
    }
  }
}
