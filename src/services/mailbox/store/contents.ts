import { groupsOf, placeholders } from '../../../kernel/database/groups.ts'
import {
  insertRow,
  query,
  type SqlValue,
  type Transaction
} from '../../../kernel/database/transaction.ts'
import { addReferences, releaseReferences } from '../../../kernel/files/table.ts'
import { foldText } from '../../../kernel/search/words.ts'
import type { MessageContent, NewContent } from '../sandbox/mail-store.ts'
import type { MailAddress } from '../sandbox/message/facts.ts'
import { CONTENT_COLUMNS, type ContentRow, contentOf, GROUP_SIZES } from './rows.ts'
import { threadOf } from './thread.ts'

/** In UTF-16 units, of each column for searches. */
const MAX_SEARCHED = 20_000

/** A content with its row, which is made once, because a transaction may be repeated. */
export interface PreparedContent {
  readonly id: string
  readonly file: NewContent['file']
  readonly row: Readonly<Record<string, SqlValue>>
}

export function prepareContent(id: string, content: NewContent): PreparedContent {
  const { file, facts, envelopeFrom, envelopeTo } = content
  const { root, ...others } = facts
  const row = {
    id,
    hash: file.hash,
    size: file.size,
    thread: threadOf(facts, id),
    facts: JSON.stringify(others),
    structure: JSON.stringify(root),
    envelope_from: withoutNul(envelopeFrom),
    envelope_to: JSON.stringify(envelopeTo),
    subject: foldForSearch(facts.subject),
    sender: foldForSearch(`${addressTexts(facts.from)}\n${envelopeFrom}`),
    recipients: foldForSearch([addressTexts(facts.recipients), ...envelopeTo].join('\n')),
    preview: foldForSearch(facts.preview)
  }
  return { id, file, row }
}

/** The form in which texts are compared, for columns and for what is searched. */
export function foldForSearch(text: string): string {
  return withoutNul(foldText(text.slice(0, MAX_SEARCHED)))
}

function addressTexts(addresses: readonly MailAddress[]): string {
  return addresses.map(({ name, address }) => `${name} <${address}>`).join('\n')
}

/** PostgreSQL has no text with NUL. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '\ufffd')
}

/** With the references of so many messages; the files of `released` have one reference less each. */
export function* insertContent(
  { file, row }: PreparedContent,
  messages: number,
  released: readonly string[]
): Transaction<void> {
  yield* insertRow('sandbox_contents', { ...row, refs: messages })
  // In the order of the hashes, so that transactions do not wait for each other.
  yield* releaseReferences(released.filter((hash) => hash < file.hash))
  yield* addReferences([file])
  yield* releaseReferences(released.filter((hash) => hash >= file.hash))
}

/** One reference more for each element. */
export function* shareContents(ids: readonly string[]): Transaction<void> {
  yield* addRefs(ids, 1)
}

/**
 * One reference less for each element. Contents without any are removed; the caller releases their
 * files, whose hashes are returned.
 */
export function* releaseContents(ids: readonly string[]): Transaction<readonly string[]> {
  const left = yield* addRefs(ids, -1)
  const unused = left.filter(({ refs }) => refs === 0)
  for (const group of groupsOf(unused, GROUP_SIZES)) {
    yield* query(
      `delete from sandbox_contents where id in (${placeholders(group.length)})`,
      ...group.map(({ id }) => id)
    )
  }
  return unused.map(({ hash }) => hash)
}

interface Counted {
  id: string
  hash: string
  refs: number
}

/** In the order of the ids, so that transactions lock their rows in the same order. */
function* addRefs(ids: readonly string[], sign: 1 | -1): Transaction<readonly Counted[]> {
  const counts = new Map<string, number>()
  for (const id of ids.toSorted()) counts.set(id, (counts.get(id) ?? 0) + 1)
  const updated: Counted[] = []
  for (const count of new Set(counts.values())) {
    const some = [...counts].flatMap(([id, own]) => (own === count ? [id] : []))
    for (const group of groupsOf(some, GROUP_SIZES)) {
      const rows = yield* query<Counted>(
        `update sandbox_contents set refs = refs + ? where id in (${placeholders(group.length)})
         returning id, hash, refs`,
        ...[sign * count, ...group]
      )
      updated.push(...rows)
    }
  }
  return updated
}

export function* readContents(
  ids: readonly string[]
): Transaction<ReadonlyMap<string, MessageContent>> {
  const found = new Map<string, MessageContent>()
  for (const group of groupsOf([...new Set(ids)], GROUP_SIZES)) {
    const rows = yield* query<ContentRow>(
      `select c.id, c.size, ${CONTENT_COLUMNS} from sandbox_contents c
       where c.id in (${placeholders(group.length)})`,
      ...group
    )
    for (const row of rows) found.set(row.id, contentOf(row))
  }
  return found
}
