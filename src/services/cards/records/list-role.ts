import type { ListRole } from '../store/rows.ts'

/** The role of a new list; others than by these names are set at `/content`. */
export function roleOfName(name: string): ListRole {
  const text = name.trim().toLowerCase()
  if (text === 'draft' || text === 'drafts') return 'draft'
  return text === 'archive' || text === 'archived' ? 'archive' : 'published'
}
