import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListRow } from '../../store/rows.ts'
import type { State } from './card-form.ts'
import { chooseList } from './choose-list.ts'

const LISTS = ['ideas draft', 'live published', 'more published', 'old archive'].map((text) => {
  const [id = '', role = ''] = text.split(' ')
  return { id, role, closed: 0, board: '', name: id, pos: 1 }
}) as ListRow[]

/** List and state before, list and state of the form, the list that the card gets. */
const CHOICES: readonly [string | undefined, State, string, State, string][] = [
  ['ideas', 'draft', 'ideas', 'draft', 'ideas'],
  ['ideas', 'draft', 'ideas', 'published', 'live'],
  ['ideas', 'draft', 'more', 'published', 'more'],
  ['ideas', 'draft', 'live', 'draft', 'live'],
  ['live', 'published', 'live', 'draft', 'ideas'],
  ['more', 'published', 'old', 'published', 'old'],
  ['ideas', 'draft', 'live', 'scheduled', 'live'],
  ['live', 'scheduled', 'live', 'draft', 'ideas'],
  [undefined, 'draft', 'ideas', 'published', 'live'],
  [undefined, 'draft', 'live', 'draft', 'ideas']
]

for (const [list, state, wantedList, wantedState, expected] of CHOICES) {
  test(`${list ?? 'new'} ${state} with ${wantedList} ${wantedState} is in ${expected}`, () => {
    const before = list === undefined ? undefined : { list, state }
    const chosen = chooseList(before, { list: wantedList, state: wantedState }, LISTS)
    assert.deepEqual(chosen, { list: expected })
  })
}

test('a board without such a list says so', () => {
  const [ideas, live] = LISTS.map((list) => [list])
  const error = (lists: readonly ListRow[] | undefined, list: string, state: State) =>
    chooseList(undefined, { list, state }, lists ?? [])
  assert.match(JSON.stringify(error(ideas, 'ideas', 'published')), /no public list/)
  assert.match(JSON.stringify(error(live, 'live', 'draft')), /All lists of this board are public/)
  assert.match(JSON.stringify(error(live, 'other', 'draft')), /Choose a list/)
})
