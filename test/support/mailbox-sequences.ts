/**
 * Generates sequences of IMAP commands of two clients of one account. The probabilities are stated
 * here: a sequence has 6 to 17 commands, four of five by the first client.
 */
import type { Generate, Part, Sources } from './mailbox-command-parts.ts'
import { list, malformed, manage, select, simple, status } from './mailbox-commands.ts'
import {
  append,
  copy,
  expunge,
  fetch,
  fetchChanged,
  markDeleted,
  search,
  searchModseq,
  store
} from './mailbox-message-commands.ts'
import type { Random } from './random.ts'

export interface Step {
  client: 'first' | 'second'
  /** `checkpoint` stores HIGHESTMODSEQ; `idle` wraps the next step of the other client. */
  kind: 'command' | 'checkpoint' | 'idle'
  parts: readonly Part[]
}

export interface Sequence {
  /** What both clients enable before. */
  mode: Sources['mode']
  mailbox: string
  steps: readonly Step[]
}

export function randomSequence(random: Random, mailbox: string): Sequence {
  const mode = random.pick(['plain', 'plain', 'condstore', 'qresync'] as const)
  const sources: Sources = { random, mode, mailbox, checkpoints: 0 }
  const steps: Step[] = []
  for (let left = 2 + random.below(5); left > 0; left--) {
    steps.push({ client: 'first', kind: 'command', parts: append(sources) })
  }
  for (let left = 6 + random.below(12); left > 0; left--) steps.push(...nextSteps(sources))
  return { mode, mailbox, steps }
}

function nextSteps(sources: Sources): readonly Step[] {
  const { random, mode } = sources
  if (mode !== 'plain' && random.below(8) === 0) {
    sources.checkpoints++
    return [{ client: 'first', kind: 'checkpoint', parts: [] }]
  }
  if (random.below(20) === 0) {
    return [
      noop('second'),
      { client: 'first', kind: 'idle', parts: [] },
      { client: 'second', kind: 'command', parts: random.pick(CHANGES)(sources) }
    ]
  }
  if (random.below(5) > 0) {
    const parts = random.pick(COMMANDS)(sources)
    const step: Step = { client: 'first', kind: 'command', parts }
    const isDeselected = parts[0] === 'CLOSE' || parts[0] === 'UNSELECT'
    if (!isDeselected || random.below(4) === 0) return [step]
    return [step, { client: 'first', kind: 'command', parts: select(sources) }]
  }
  const change: Step = {
    client: 'second',
    kind: 'command',
    parts: random.pick(CHANGES)(sources)
  }
  // Every second time the first client sends a command before it is told of the change. Dovecot
  // finds messages that another client has removed and tells their flags, and EXPUNGE there goes
  // by the flags that the client knows.
  const isRemoval = /EXPUNGE|MOVE/.test(String(change.parts[0]))
  const commands = isRemoval ? UNAWARE_OF_REMOVALS : UNAWARE_OF_FLAGS
  const unaware: Step[] = [
    { client: 'first', kind: 'command', parts: random.pick(commands)(sources) }
  ]
  return [noop('second'), change, ...(random.below(2) === 0 ? unaware : []), noop('first')]
}

function noop(client: Step['client']): Step {
  return { client, kind: 'command', parts: ['NOOP'] }
}

const UNAWARE_OF_REMOVALS: readonly [Generate, ...Generate[]] = [fetch, fetch, append]
const UNAWARE_OF_FLAGS: readonly [Generate, ...Generate[]] = [
  ...([append, fetch, fetch, fetchChanged, store, store, markDeleted, search, copy] as const)
]

const MESSAGE_COMMANDS: readonly [Generate, ...Generate[]] = [
  ...([append, append, fetch, fetch, fetch, fetch, fetchChanged, store, store, store] as const),
  ...[markDeleted, search, search, search, searchModseq, copy, copy, expunge, expunge]
]

const COMMANDS: readonly [Generate, ...Generate[]] = [
  ...MESSAGE_COMMANDS,
  ...[select, status, list, manage, manage, simple, malformed]
]

/** Changes by the second client, which has the mailbox selected as well. */
const CHANGES: readonly [Generate, ...Generate[]] = [
  ...([append, store, store, markDeleted, expunge, copy] as const)
]
