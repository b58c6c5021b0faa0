import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { TYPES } from '../contract.ts'
import { BUNDLED, openUniverse } from '../dataset/folder.ts'
import type { Value } from '../dataset/universe.ts'
import { drawImage } from './draw.ts'

const { types } = await openUniverse(BUNDLED)

function draw(
  type: (typeof TYPES)[number],
  id: number,
  changes: Record<string, string> = {}
): string {
  const entry = types[type].get(id)
  assert.ok(entry)
  return drawImage(type, { ...entry, values: { ...entry.values, ...changes } })
}

test('no two records look alike, and each always looks the same', () => {
  const seen = new Set<string>()
  for (const type of TYPES) {
    for (const id of types[type].keys()) {
      const image = draw(type, id)
      assert.equal(image, draw(type, id))
      assert.doesNotMatch(image, /NaN|undefined|null|Infinity/, `${type} ${id}`)
      seen.add(image.replace(/<title>.*<\/title>/, ''))
    }
  }
  assert.equal(
    seen.size,
    TYPES.reduce((sum, type) => sum + types[type].size, 0)
  )
})

test('an image is well formed, whatever the record contains', () => {
  const odd = '<b>&"\'\u0000\ud800'
  for (const type of TYPES) {
    const values = Object.keys(types[type].get(1)?.values ?? {}).filter(
      (name) => typeof types[type].get(1)?.values[name] === 'string'
    )
    const image = draw(type, 1, Object.fromEntries(values.map((name) => [name, odd])))
    assert.doesNotMatch(image, /<b>|NaN|undefined/, type)
    assert.ok(image.isWellFormed() && !image.includes('\u0000'), type)
    const pairs = image.replaceAll(/<[^>]*\/>/g, '')
    const opened = pairs.match(/<[a-z]/gi) ?? []
    const closed = pairs.match(/<\//g) ?? []
    assert.equal(opened.length, closed.length, type)
  }
})

/** Checks that a change of one value changes the image. */
function shows(type: (typeof TYPES)[number], id: number, changes: Record<string, string>): void {
  assert.notEqual(draw(type, id), draw(type, id, changes), JSON.stringify(changes))
}

test('a person shows colours, eyes and build', () => {
  shows('people', 1, { hair_color: 'red' })
  shows('people', 1, { hair_color: 'none' })
  shows('people', 1, { skin_color: 'blue' })
  shows('people', 1, { eye_color: 'green' })
  shows('people', 1, { eye_color: 'none' })
  shows('people', 1, { mass: '120 kg' })
  shows('people', 1, { height: '150 cm' })
  assert.match(draw('people', 1, { skin_color: 'teal' }), /fill="#3f8f8d"/)
  assert.match(draw('people', 1, { eye_color: 'gold' }), /r="4\.6" fill="#d9a92e"/)
})

test('a planet shows its terrain, climate, water and size', () => {
  shows('planets', 1, { terrain: 'dunes' })
  shows('planets', 1, { climate: 'frozen' })
  shows('planets', 1, { surface_water: '0' })
  shows('planets', 1, { diameter: '2000' })
  assert.match(draw('planets', 1, { terrain: 'gas layers', climate: 'none' }), /q50/)
  assert.match(draw('planets', 1, { climate: 'frozen' }), /fill="#f4f8fa"/)
})

test('a film has a beam for each episode, and its title', () => {
  const beams = (id: number) => draw('films', id).match(/<path d="M[\d.]+ 96L/g)?.length
  assert.deepEqual([beams(1), beams(4), beams(7)], [3, 1, 7])
  assert.match(draw('films', 2), />The Road Without<\/text><text[^>]*>Lamps<\/text>/)
})

test('a species shows its skin, eyes and class', () => {
  shows('species', 1, { skin_colors: 'teal' })
  shows('species', 1, { eye_colors: 'gold' })
  shows('species', 1, { classification: 'fungus' })
})

test('a vehicle shows what carries it', () => {
  const marks: [string, RegExp][] = [
    ['balloon', /ry="42"/],
    ['submersible', /M166 112/],
    ['ferry boat', /M30 122h142/],
    ['walker', /M34 112q-4-46/],
    ['cable crawler', /rx="14" fill="#23262b"/],
    ['cart', /fill="#c9ccd0"/],
    ['skimmer', /M28 126q4-16/]
  ]
  for (const [vehicle_class, mark] of marks) {
    const image = draw('vehicles', 1, { vehicle_class, model: '' })
    for (const [, other] of marks) assert.equal(other.test(image), other === mark, vehicle_class)
  }
})

test('a starship shows its class and length', () => {
  shows('starships', 10, { starship_class: 'bulk freighter' })
  shows('starships', 10, { starship_class: 'sloop' })
  shows('starships', 10, { starship_class: 'lamp tender' })
  shows('starships', 10, { length: '5' })
})

/** Values that reach every branch of the drawings, for several ids each. */
const SAMPLES: Readonly<Record<(typeof TYPES)[number], readonly Record<string, Value>[]>> = {
  people: [
    {
      hair_color: 'red',
      skin_color: 'fair',
      eye_color: 'blue',
      height: '170 cm',
      mass: '60 kg',
      species: [1]
    },
    {
      hair_color: 'none',
      skin_color: 'shifting',
      eye_color: 'none',
      height: '90 cm',
      mass: '99 kg',
      species: [2]
    },
    {
      hair_color: 'grey',
      skin_color: 'teal',
      eye_color: 'n/a',
      height: 'unknown',
      mass: 'unknown',
      species: []
    },
    {
      hair_color: 'moss',
      skin_color: 'iron',
      eye_color: 'unknown',
      height: '250 cm',
      mass: '40 kg',
      species: [7]
    }
  ],
  planets: [
    { terrain: 'islands', climate: 'mild', surface_water: '80', diameter: '12000' },
    { terrain: 'gas layers', climate: 'none', surface_water: '0', diameter: '90000' },
    { terrain: 'plains', climate: 'frozen', surface_water: 'unknown', diameter: 'unknown' },
    { terrain: 'fens', climate: 'warm', surface_water: '50', diameter: '3000' }
  ],
  films: [
    { title: 'One', episode_id: 1 },
    { title: 'A Title That Is Rather Long And Then Some More', episode_id: 40 },
    { title: 'None', episode_id: 0 }
  ],
  species: ['mammal', 'avian', 'plant', 'fungus', 'machine', 'fish']
    .map((classification) => ({
      classification,
      skin_colors: 'teal, red',
      eye_colors: 'gold'
    }))
    .concat({ classification: 'colonial', skin_colors: 'unknown', eye_colors: 'unknown' }),
  vehicles: ['balloon', 'submersible', 'tug', 'walker', 'crane', 'cart', 'float'].map((word) => ({
    vehicle_class: word,
    model: 'M'
  })),
  starships: ['freighter', 'sloop', 'lamp tender', 'raider'].flatMap((word) =>
    ['5', '900', 'unknown'].map((length) => ({ starship_class: word, model: 'M', length }))
  )
}

test('a drawing is the same on every machine; change the digest with the drawing', () => {
  const digest = createHash('sha256')
  for (const type of TYPES) {
    for (const values of SAMPLES[type]) {
      for (const id of [1, 2, 3, 4, 5, 6, 7, 8]) {
        digest.update(drawImage(type, { id, values: { name: 'N', title: 'T', ...values } }))
      }
    }
  }
  assert.equal(digest.digest('base64url'), 'q1_OoydFfbMmFvuSA8K5R8QWyG7L9C6mUeUPo4CejlU')
})
