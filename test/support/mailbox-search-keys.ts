import { messageSet, type Sources } from './mailbox-command-parts.ts'
import { SEARCHED } from './mailbox-random-message.ts'

export function searchKey(sources: Sources, depth = 2): string {
  const { random } = sources
  const text = random.pick(SEARCHED)
  const day = `${1 + random.below(28)}-Jan-2024`
  if (depth > 0 && random.below(4) === 0) {
    const [first, second] = [searchKey(sources, depth - 1), searchKey(sources, depth - 1)]
    return random.pick([`NOT ${first}`, `OR ${first} ${second}`, `(${first} ${second})`])
  }
  return random.pick([
    'ALL',
    'SEEN',
    'UNSEEN',
    'DELETED',
    'UNDELETED',
    'FLAGGED',
    'ANSWERED',
    'DRAFT',
    'UNDRAFT',
    'KEYWORD work',
    'UNKEYWORD $Later',
    `SUBJECT ${text}`,
    `FROM ${text}`,
    `TO ${text}`,
    `CC ${text}`,
    `BODY ${text}`,
    `TEXT ${text}`,
    `HEADER X-Test ${text}`,
    'HEADER In-Reply-To ""',
    `SINCE ${day}`,
    `BEFORE ${day}`,
    `ON ${day}`,
    `SENTSINCE ${day}`,
    `SENTBEFORE ${day}`,
    `SENTON ${day}`,
    `LARGER ${random.below(600)}`,
    `SMALLER ${random.below(600)}`,
    `UID ${messageSet(sources)}`,
    // Dovecot does not take `5:*` for the last message if there are fewer than five.
    random.pick(['1:*', '*', '1', '2', '1:2', '3:1'])
  ])
}
