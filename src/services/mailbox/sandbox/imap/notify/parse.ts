import type { FetchItem } from '../fetch/items.ts'
import { scanFetchItems } from '../fetch/parse-items.ts'
import { scanMailbox } from '../mailbox-names.ts'
import { CommandError, syntaxError } from '../wire/errors.ts'
import type { Scanner } from '../wire/scanner.ts'
import type { EventGroup, MailboxFilter, NotifyEvent, SelectedEvents } from './settings.ts'

const MAX_GROUPS = 100
const EVENTS: readonly NotifyEvent[] = [
  'MessageNew',
  'MessageExpunge',
  'FlagChange',
  'MailboxName',
  'SubscriptionChange'
]

export interface NotifyArguments {
  readonly tellsStatus: boolean
  readonly selected: SelectedEvents | undefined
  readonly groups: readonly EventGroup[]
}

/** Undefined for NOTIFY NONE. */
export function scanNotify(
  scanner: Scanner,
  extensions: ReadonlySet<string>
): NotifyArguments | undefined {
  scanner.space()
  if (scanner.skip('NONE')) {
    scanner.end()
    return undefined
  }
  scanner.expect('SET')
  const tellsStatus = scanner.skip(' STATUS')
  let selected: SelectedEvents | undefined
  const groups: EventGroup[] = []
  do {
    scanner.expect(' (')
    const filter = scanner.keyword()
    if (filter === 'SELECTED' || filter === 'SELECTED-DELAYED') {
      if (selected !== undefined) throw syntaxError('Selected mailbox given twice.')
      scanner.space()
      selected = { ...scanEvents(scanner, extensions), isDelayed: filter !== 'SELECTED' }
    } else {
      const mailboxes = scanMailboxes(scanner, filter)
      scanner.space()
      const { events, items } = scanEvents(scanner, extensions)
      if (items.length > 0) throw syntaxError('FETCH items are for the selected mailbox only.')
      groups.push({ mailboxes, events })
    }
    scanner.expect(')')
    if (groups.length > MAX_GROUPS) throw syntaxError('Too many event groups.')
  } while (!scanner.isAtEnd())
  return { tellsStatus, selected, groups }
}

function scanMailboxes(scanner: Scanner, filter: string): MailboxFilter {
  switch (filter) {
    case 'INBOXES':
    case 'PERSONAL':
    case 'SUBSCRIBED':
      return { kind: filter }
    case 'SUBTREE':
    case 'MAILBOXES': {
      scanner.space()
      const isList = scanner.isNext('(')
      const scan = () => scanMailbox(scanner)
      return { kind: filter, names: isList ? scanner.list(scan) : [scan()] }
    }
    default:
      throw syntaxError(`Unknown filter ${filter}`)
  }
}

function scanEvents(
  scanner: Scanner,
  extensions: ReadonlySet<string>
): { events: ReadonlySet<NotifyEvent>; items: readonly FetchItem[] } {
  const events = new Set<NotifyEvent>()
  let items: readonly FetchItem[] = []
  let isUnknown = false
  if (scanner.skip('NONE')) return { events, items }
  scanner.list(() => {
    const name = scanner.keyword()
    const event = EVENTS.find((known) => known.toUpperCase() === name)
    if (event === undefined) isUnknown = true
    else events.add(event)
    if (event === 'MessageNew' && scanner.isNext(' (')) {
      scanner.space()
      items = withUid(scanFetchItems(scanner, extensions))
    }
  })
  if (isUnknown) {
    throw new CommandError('NO', 'Unsupported NOTIFY events.', `BADEVENT (${EVENTS.join(' ')})`)
  }
  checkEvents(events)
  return { events, items }
}

/** RFC 5465 5.1: the response has the UID in any case. */
function withUid(items: readonly FetchItem[]): readonly FetchItem[] {
  return items.some(({ kind }) => kind === 'UID') ? items : [{ kind: 'UID' }, ...items]
}

/** RFC 5465 5: these events come together. */
function checkEvents(events: ReadonlySet<NotifyEvent>): void {
  const hasNew = events.has('MessageNew')
  if (hasNew !== events.has('MessageExpunge')) {
    throw syntaxError('MessageNew and MessageExpunge must be together.')
  }
  if (events.has('FlagChange') && !hasNew) {
    throw syntaxError('FlagChange requires MessageNew and MessageExpunge.')
  }
}
