import { MessageNotFound } from '../contract.ts'
import type { TextKey } from './content-ids.ts'
import { TextNotFound } from './contract.ts'
import { fetchUid } from './fetch.ts'
import { openMailboxOfMessage } from './open-mailbox.ts'
import { type PrepareOptions, prepareHtml, typesToRead } from './prepare-html.ts'
import { readTexts, type TextType } from './read-texts.ts'
import type { MailSession } from './session.ts'
import { type MessageLeaf, partsOf } from './structure.ts'

export interface TextQuery extends PrepareOptions {
  readonly textType: TextType
  readonly maxBytes?: number
}

/** The texts of a message by their id. */
export async function showText(
  session: MailSession,
  key: TextKey,
  query: TextQuery
): Promise<object> {
  const { client } = session
  await openMailboxOfMessage(client, session, key, 'read')
  const message = await fetchUid(client, key.uid, { bodyStructure: true })
  if (message === undefined) throw new MessageNotFound()
  const parts = partsOf(message.bodyStructure)
  const texts = { plain: select(parts.plain, key.plain), html: select(parts.html, key.html) }
  const textType = typesToRead(query, query.textType) ?? '*'
  const found = await readTexts(client, key.uid, texts, { ...query, textType })
  return prepareHtml(session, key.uid, { texts: found, parts, query })
}

function select(leaves: readonly MessageLeaf[], numbers: readonly string[]): MessageLeaf[] {
  return numbers.map((number) => {
    const leaf = leaves.find((one) => one.number === number)
    if (leaf === undefined) throw new TextNotFound()
    return leaf
  })
}
