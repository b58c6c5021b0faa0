import type { Expression } from '../expression/expression.ts'
import type { ExpressionContext } from '../expression/expression-context.ts'
import type { Operation } from '../model/api.ts'
import type { FaultName } from '../serve/faults.ts'
import type { MessageDraft } from './message-draft.ts'

export const PHASES = ['request', 'upstream', 'response', 'final'] as const
export type Phase = (typeof PHASES)[number]

/** Which requests and answers a rule is for; a part that says nothing fits all. */
export interface Match {
  operationIds: readonly string[] | undefined
  tags: readonly string[] | undefined
  methods: readonly string[] | undefined
  paths: readonly PathGlob[] | undefined
  /** Three digits, or a range such as `4XX`. */
  statuses: readonly string[] | undefined
  mediaTypes: readonly string[] | undefined
}

export interface PathGlob {
  text: string
  fits: (path: string) => boolean
}

export type Condition = (subject: ExpressionContext) => boolean

/** Gives back why it could not be done, if it could not. */
export type Change = (draft: MessageDraft, subject: ExpressionContext) => string | undefined

export type Step = { name: string; pointer: string } & (
  | { change: Change; delay?: never; fault?: never }
  | {
      delay: (draft: MessageDraft, subject: ExpressionContext) => number
      change?: never
      fault?: never
    }
  | { fault: FaultName; change?: never; delay?: never }
)

/** A pointer into a body that a rule relies on, for the check against schemas. */
export interface Reliance {
  pointer: string
  side: 'request' | 'response'
  tokens: readonly string[]
  /** It may be new in the body. */
  isNew: boolean
}

export interface Rule {
  name: string
  /** File and pointer, for messages. */
  where: string
  /** Position among all rules. */
  order: number
  phase: Phase
  match: Match
  when: Condition | undefined
  steps: readonly Step[]
  /** Whether it rewrites paths, so that it may be meant for those that nobody documented. */
  isRewriting: boolean
  readsRequestBody: boolean
  readsResponseBody: boolean
  expressions: readonly Expression[]
  /** Names of those that its expressions read. */
  collections: readonly string[]
  reliances: readonly Reliance[]
  /** Whether there is something that it waits for: a delay, or a collection. */
  isWaiting: boolean
  /** Whether what it makes may be large, so that somebody has to look. */
  isGrowing: boolean
  /** Operations of the document it stands in; nothing for a rule of a file. */
  home: ReadonlySet<Operation> | undefined
  /** Pointer of the response it stands in. */
  response: string | undefined
  /** How many requests have come this far, in one session; counts this one. */
  count: (session: string | undefined) => number
}

/** A hostile client must not fill the memory with sessions. */
const MAX_SESSIONS = 1000

export function createCounter(): Rule['count'] {
  const counts = new Map<string | undefined, number>()
  return (session) => {
    const next = (counts.get(session) ?? 0) + 1
    // The one that was not heard of for the longest time goes.
    counts.delete(session)
    if (counts.size === MAX_SESSIONS) counts.delete(counts.keys().next().value)
    counts.set(session, next)
    return next
  }
}
