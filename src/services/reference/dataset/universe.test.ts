import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUniverse, type Dataset, idsOf, nameOf } from './universe.ts'

const universe = { name: 'U', summary: '', era: { before: 'BXX', after: 'AXX', event: '' } }

function create(records: Partial<Dataset['records']>) {
  const none = { people: [], planets: [], films: [], species: [], vehicles: [], starships: [] }
  return createUniverse({ universe, records: { ...none, ...records } })
}

test('links are sorted and unique, on both sides', () => {
  const { types } = create({
    films: [
      { id: 2, title: 'B', characters: [3, 1, 3] },
      { id: 1, title: 'A', characters: [3] }
    ],
    people: [{ id: 3 }, { id: 1 }]
  })
  assert.deepEqual([...types.films.keys()], [1, 2])
  assert.deepEqual(types.films.get(2)?.values.characters, [1, 3])
  assert.deepEqual(types.people.get(3)?.values.films, [1, 2])
  assert.deepEqual(types.people.get(1)?.values.films, [2])
  assert.deepEqual(types.people.get(1)?.values.vehicles, [])
})

test('one id links back as well', () => {
  const { types } = create({ people: [{ id: 4, homeworld: 9 }], planets: [{ id: 9 }] })
  assert.deepEqual(types.planets.get(9)?.values.residents, [4])
})

test('the newest edit of all records', () => {
  const { edited } = create({
    people: [{ id: 1, edited: '2020-02-01' }],
    planets: [
      { id: 1, edited: '2021-01-01' },
      { id: 2, edited: '2020-03-01' }
    ]
  })
  assert.equal(edited, '2021-01-01')
})

test('ids of a link, of links, of nothing', () => {
  assert.deepEqual(idsOf(3), [3])
  assert.deepEqual(idsOf([1, 2]), [1, 2])
  assert.deepEqual(idsOf(null), [])
  assert.deepEqual(idsOf(undefined), [])
  assert.deepEqual(idsOf('3'), [])
})

test('the name of a film is its title', () => {
  const { types } = create({ films: [{ id: 1, title: 'A' }], people: [{ id: 1, name: 'N' }] })
  const [film, person] = [types.films.get(1), types.people.get(1)]
  assert.ok(film && person)
  assert.deepEqual([nameOf('films', film), nameOf('people', person)], ['A', 'N'])
})
