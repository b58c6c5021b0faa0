import type { LabelRow } from '../store/rows.ts'

export interface LabelObject {
  readonly id: string
  readonly idBoard: string
  readonly name: string
  readonly color: string | null
}

/** A label of Trello's API; `uses` is the number of its cards, if it is known. */
export function presentLabel(
  { id, board, name, color }: LabelRow,
  uses?: number
): LabelObject & { readonly uses?: number } {
  return { id, idBoard: board, name, color, ...(uses !== undefined && { uses }) }
}
