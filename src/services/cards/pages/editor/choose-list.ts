import type { ListRow } from '../../store/rows.ts'
import type { CardForm, State } from './card-form.ts'

type Choice = Pick<CardForm, 'list' | 'state'>

/**
 * The list of a card whose form has a list and a state, which may contradict each other: the one
 * that was changed counts, and the state if both were. Returns a sentence if there is no such list.
 */
export function chooseList(
  before: Choice | undefined,
  wanted: Choice,
  lists: readonly ListRow[]
): { list: string } | { error: string } {
  const open = lists.filter(({ closed }) => closed === 0)
  const chosen = lists.find(({ id }) => id === wanted.list)
  if (chosen === undefined) return { error: 'Choose a list of this board.' }
  const isListOnly = before !== undefined && before.state === wanted.state
  if (isListOnly || wanted.state === 'scheduled') return { list: chosen.id }
  if (fits(chosen, wanted.state)) return { list: chosen.id }
  const first = open.find((list) => fits(list, wanted.state))
  return first === undefined ? { error: MISSING[wanted.state] } : { list: first.id }
}

function fits({ role, closed }: ListRow, state: State): boolean {
  return (role === 'published' && closed === 0) === (state === 'published')
}

const MISSING: Readonly<Record<State, string>> = {
  draft: 'All lists of this board are public: add one with the role draft first.',
  scheduled: '',
  published: 'This board has no public list: give one the role published first.'
}
