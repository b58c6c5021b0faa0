import { notify, type Transaction } from '../../../kernel/database/transaction.ts'

const PREFIX = 'mail:'
/** Published with the topic of every account. */
export const ANY_ACCOUNT = 'mail'

export function topicOf(account: string | undefined): string {
  return account === undefined ? ANY_ACCOUNT : `${PREFIX}${account}`
}

/** The account of a topic; undefined for that of all accounts. */
export function accountOfTopic(topic: string): string | undefined {
  return topic === ANY_ACCOUNT ? undefined : topic.slice(PREFIX.length)
}

/** Tells all who watch the account, after the commit. */
export function* notifyWatchers(account: string): Transaction<void> {
  yield* notify(topicOf(account))
  yield* notify(ANY_ACCOUNT)
}
