import type { Expression } from '../expression/expression.ts'
import type { ExpressionContext } from '../expression/expression-context.ts'
import type { Operation } from '../model/api.ts'
import type { FaultName } from '../serve/faults.ts'
import type { MessageDraft } from './message-draft.ts'

export const PHASES = ['request', 'upstream', 'response', 'final'] as const
export type Phase = (typeof PHASES)[number]

/** Requests and responses a rule applies to; an undefined member matches all. */
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

/** Returns the reason if the change could not be made. */
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

/** A pointer into a body that a rule uses, for the check against schemas. */
export interface Reliance {
  pointer: string
  side: 'request' | 'response'
  tokens: readonly string[]
  /** Whether the rule may create the value. */
  isNew: boolean
  /** Whether it is the path of a patch operation. */
  isPatch?: boolean
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
  /** Whether the rule rewrites paths, so that it may match undocumented ones. */
  isRewriting: boolean
  readsRequestBody: boolean
  readsResponseBody: boolean
  expressions: readonly Expression[]
  /** The same with their positions, for messages. */
  locatedExpressions: readonly { expression: Expression; pointer: string }[]
  /** Names of the collections that its expressions read. */
  collections: readonly string[]
  reliances: readonly Reliance[]
  /** Whether the rule has to wait for a delay or a collection. */
  isWaiting: boolean
  /** Whether the rule may produce a large body, so that its size must be checked. */
  isGrowing: boolean
  /** Operations that the rule of a document applies to; undefined for a rule of a file. */
  home: ReadonlySet<Operation> | undefined
  /** Pointer of the response that contains the rule. */
  response: string | undefined
  /** Number of the request within its session, for `$seq`; each call counts one request. */
  count: (session: string | undefined) => number
}

/** Maximum number of sessions, so that clients cannot fill the memory. */
const MAX_SESSIONS = 1000

export function createCounter(): Rule['count'] {
  const counts = new Map<string | undefined, number>()
  return (session) => {
    const next = (counts.get(session) ?? 0) + 1
    // Deleting first keeps the Map in order of use; the least recently used session is removed.
    counts.delete(session)
    if (counts.size === MAX_SESSIONS) counts.delete(counts.keys().next().value)
    counts.set(session, next)
    return next
  }
}
