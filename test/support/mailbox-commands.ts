/** Random commands about mailboxes, and some that every server rejects. */
import { anyMailbox, otherMailbox, type Part, type Sources } from './mailbox-command-parts.ts'

export function select(sources: Sources): readonly Part[] {
  const { random, mode, mailbox, checkpoints } = sources
  const verb = random.pick(['SELECT', 'SELECT', 'EXAMINE'])
  if (mode === 'qresync' && checkpoints > 0 && random.below(2) === 0) {
    const since = { own: random.below(checkpoints) }
    return [`${verb} ${mailbox} (QRESYNC (`, { own: 'validity' }, ' ', since, '))']
  }
  return [`${verb} ${random.below(6) === 0 ? otherMailbox(sources) : mailbox}`]
}

export function status(sources: Sources): readonly Part[] {
  const { random, mode } = sources
  const items: string[] = ['MESSAGES', 'UIDNEXT', 'UIDVALIDITY', 'UNSEEN'].filter(
    () => random.below(2) === 0
  )
  if (mode !== 'plain' && random.below(2) === 0) items.push('HIGHESTMODSEQ')
  if (items.length === 0) items.push('MESSAGES')
  return [`STATUS ${anyMailbox(sources)} (${items.join(' ')})`]
}

export function list(sources: Sources): readonly Part[] {
  const { random, mailbox } = sources
  const returned = random.pick([
    '',
    '',
    ' RETURN (SUBSCRIBED CHILDREN)',
    ' RETURN (STATUS (MESSAGES UIDNEXT))'
  ])
  const pattern = random.pick(['*', '%', '/*', '/%', '', '/a', '/%/%'])
  if (random.below(4) === 0) return [`LSUB "" ${mailbox}${pattern}`]
  const selection = random.below(5) === 0 ? '(SUBSCRIBED) ' : ''
  return [`LIST ${selection}"" ${mailbox}${pattern}${returned}`]
}

export function manage(sources: Sources): readonly Part[] {
  const { random } = sources
  const name = otherMailbox(sources)
  return [
    random.pick([
      `CREATE ${name}`,
      `CREATE ${name}`,
      `CREATE ${sources.mailbox}/a`,
      `DELETE ${name}`,
      `RENAME ${name} ${otherMailbox(sources)}`,
      `SUBSCRIBE ${name}`,
      `UNSUBSCRIBE ${name}`
    ])
  ]
}

export function simple({ random }: Sources): readonly Part[] {
  return [random.pick(['NOOP', 'NOOP', 'CHECK', 'CLOSE', 'UNSELECT', 'NAMESPACE'])]
}

/** Commands that a server rejects. */
export function malformed({ random, mailbox }: Sources): readonly Part[] {
  return [
    random.pick([
      'FETCH',
      'FETCH 1',
      'FETCH 0 FLAGS',
      'FETCH 1 NONSENSE',
      'FETCH 1 (FLAGS',
      'FETCH x FLAGS',
      'STORE 1 XFLAGS (\\Seen)',
      'SEARCH',
      'SEARCH NONSENSE',
      'SEARCH SINCE yesterday',
      'COPY 1',
      'UID',
      'UID NOOP',
      'UID EXPUNGE',
      'STATUS',
      `STATUS ${mailbox}`,
      `STATUS ${mailbox} (NONSENSE)`,
      'LIST',
      'LIST ""',
      'CREATE',
      'NONSENSE',
      'LOGIN a b'
    ])
  ]
}
