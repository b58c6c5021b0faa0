import type { FieldRow } from '../store/rows.ts'

const COMPLETED = ['completed', 'completion date', 'completed at']
const URL_NAMES = ['url', 'link', 'website']

/** Which property of the content API a new field becomes if the board has none for it yet. */
export function mappedColumn({
  name,
  type
}: Pick<FieldRow, 'name' | 'type'>): 'completed_field' | 'url_field' | undefined {
  const text = name.trim().toLowerCase()
  if (type === 'date' && COMPLETED.includes(text)) return 'completed_field'
  return type === 'text' && URL_NAMES.includes(text) ? 'url_field' : undefined
}
