/** What FETCH can return. */
export type FetchItem = { readonly kind: AttributeName } | SectionItem

export type AttributeName =
  | 'UID'
  | 'FLAGS'
  | 'INTERNALDATE'
  | 'RFC822.SIZE'
  | 'ENVELOPE'
  | 'BODYSTRUCTURE'
  | 'BODY'
  | 'MODSEQ'
  | 'EMAILID'
  | 'THREADID'

/** Bytes of the message. */
export interface SectionItem {
  readonly kind: 'section'
  /** As the response names it. */
  readonly label: string
  /** Numbers of parts; empty for the message. */
  readonly path: readonly number[]
  readonly text: SectionText
  /** Names in lower case, for HEADER.FIELDS. */
  readonly fields: readonly string[]
  readonly partial: { readonly offset: number; readonly length: number } | undefined
  readonly setsSeen: boolean
}

export type SectionText = '' | 'HEADER' | 'TEXT' | 'MIME' | 'HEADER.FIELDS' | 'HEADER.FIELDS.NOT'

/** Whether the item is made from the content, not only from the row of the message. */
export function needsContent(item: FetchItem): boolean {
  return !['UID', 'FLAGS', 'INTERNALDATE', 'RFC822.SIZE', 'MODSEQ', 'EMAILID'].includes(item.kind)
}
