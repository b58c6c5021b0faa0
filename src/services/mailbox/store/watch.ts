import type { Database } from '../../../kernel/database/database.ts'
import { groupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { createNotifications } from '../../../kernel/database/notifications.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { MailStore } from '../sandbox/mail-store.ts'
import { ANY_ACCOUNT, accountOfTopic, topicOf } from './topics.ts'

export interface Watch {
  watch: MailStore['watch']
  stop: () => void
}

/** Subscriptions to changes; on PostgreSQL those of other processes are also polled. */
export function createWatch(database: Database): Watch {
  const { subscribe, stop } = createNotifications(database, readVersions, { areTopics: true })

  async function readVersions(topics: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const accounts = topics.map(accountOfTopic).filter((id) => id !== undefined)
    return database.read(() => versionsOf(accounts, topics.includes(ANY_ACCOUNT)))
  }

  return { watch: (account, listener) => subscribe(topicOf(account), listener), stop }
}

interface VersionRow {
  account: string
  version: string
}

/** Differs after each change of messages, and after mailboxes were added or removed. */
const VERSION = `cast(count(*) as text) || ' ' || cast(coalesce(sum(id), 0) as text) || ' '
  || cast(coalesce(sum(modseq), 0) as text) as version`
const GROUP_SIZES = [100, 10, 1]

/** By topic. */
function* versionsOf(
  accounts: readonly string[],
  ofAll: boolean
): Transaction<ReadonlyMap<string, string>> {
  const versions = new Map<string, string>()
  for (const group of groupsOf(accounts, GROUP_SIZES)) {
    const rows = yield* query<VersionRow>(
      `select account, ${VERSION} from sandbox_mailboxes
       where account in (${placeholders(group.length)}) group by account`,
      ...group
    )
    for (const { account, version } of rows) versions.set(topicOf(account), version)
  }
  if (!ofAll) return versions
  const [row] = yield* query<VersionRow>(`select '' as account, ${VERSION} from sandbox_mailboxes`)
  return versions.set(ANY_ACCOUNT, row?.version ?? '')
}
