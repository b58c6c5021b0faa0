import type { Random } from './random.ts'

/** Text as it is, bytes as a literal, or a value that each server has given itself. */
export type Part = string | Buffer | { own: number | 'validity'; plus?: number }

export interface Sources {
  random: Random
  mode: 'plain' | 'condstore' | 'qresync'
  mailbox: string
  /** Number of checkpoints so far. */
  checkpoints: number
}

export type Generate = (sources: Sources) => readonly Part[]

/**
 * Numbers from 1 to 9, so that some exist and some do not. Lists have no `*`: Dovecot 2.3.19 crashes
 * on `*,3:7` if message 7 does not exist.
 */
export function messageSet({ random }: Sources): string {
  const number = () => String(1 + random.below(random.below(3) === 0 ? 9 : 3))
  const end = () => (random.below(4) === 0 ? '*' : number())
  const range = () => (random.below(2) === 0 ? end() : `${end()}:${end()}`)
  if (random.below(3) === 0) return '1:*'
  return random.below(4) === 0 ? `${number()},${number()}:${number()}` : range()
}

export function uid({ random }: Sources): string {
  return random.below(2) === 0 ? 'UID ' : ''
}

/**
 * A mailbox below the first one, which may not exist. There is one level only: the sandbox creates
 * missing parents as mailboxes, Dovecot as names without one (`\Noselect`).
 */
export function otherMailbox({ random, mailbox }: Sources): string {
  return `${mailbox}/${random.pick(['a', 'b', 'c'])}`
}

export function anyMailbox(sources: Sources): string {
  return sources.random.below(3) > 0 ? sources.mailbox : otherMailbox(sources)
}
