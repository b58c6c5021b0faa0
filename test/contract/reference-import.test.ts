import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { reference } from '../../src/services/reference/index.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { writeFolder } from './reference-universe.ts'

const STAMPS = { created: '2014-12-09T13:50:51.644000Z', edited: '2014-12-20T21:17:56.891Z' }

function fixture(model: string, pk: number, fields: object) {
  return { model: `resources.${model}`, pk, fields }
}

const TRANSPORT = {
  model: 'M',
  manufacturer: 'Yard',
  cost_in_credits: '3,500,000',
  length: '1,600.5',
  max_atmosphering_speed: 'N/A',
  crew: '30-165',
  passengers: '600',
  cargo_capacity: 'Unknown',
  consumables: '1 year '
}

/** The public layout with invented records: gaps, commas, blanks, short dates, no homeworld. */
function fixtures(): Record<string, { fields: object }[]> {
  const person = {
    name: 'Ann',
    height: '172',
    mass: '1,358',
    hair_color: 'red',
    skin_color: 'fair ',
    eye_color: 'blue',
    birth_year: '19BBY',
    gender: 'N/A',
    homeworld: 3
  }
  return {
    people: [
      fixture('people', 5, {
        ...person,
        name: 'Bo',
        height: 'unknown',
        mass: 'n/a',
        homeworld: null,
        ...STAMPS
      }),
      fixture('people', 2, { ...person, ...STAMPS, created: '2014-12-09T13:50:51Z' })
    ],
    planets: [
      fixture('planet', 3, {
        name: 'P',
        rotation_period: '24',
        orbital_period: '365',
        diameter: '12,742',
        climate: 'mild',
        gravity: '1 standard',
        terrain: 'sea',
        surface_water: '71',
        population: 'unknown',
        ...STAMPS
      })
    ],
    films: [
      fixture('film', 1, {
        title: 'F',
        episode_id: 4,
        opening_crawl: 'N/A \r\n',
        director: 'D',
        producer: 'P',
        release_date: '1977-05-25',
        characters: [5, 2],
        planets: [3],
        starships: [9],
        vehicles: [4],
        species: [1],
        ...STAMPS,
        edited: '2014-12-20T21:17:56+00:00'
      })
    ],
    species: [
      fixture('species', 1, {
        name: 'S',
        classification: 'mammal',
        designation: 'sentient',
        average_height: '170',
        skin_colors: 'fair',
        hair_colors: 'red',
        eye_colors: 'blue',
        average_lifespan: '80',
        homeworld: null,
        language: 'L',
        people: [2],
        ...STAMPS
      })
    ],
    vehicles: [fixture('vehicle', 4, { vehicle_class: 'wheeled', pilots: [] })],
    starships: [
      fixture('starship', 9, {
        hyperdrive_rating: '2.0',
        MGLT: '60',
        starship_class: 'corvette',
        pilots: [2]
      })
    ],
    transport: [
      fixture('transport', 9, { name: 'Ship', ...TRANSPORT, ...STAMPS }),
      fixture('transport', 4, { name: 'Cart', ...TRANSPORT, ...STAMPS })
    ]
  }
}

async function importFrom(files: object): Promise<{ to: string; told: string | undefined }> {
  const from = await writeFolder({ ...files })
  const to = join(scratchFolder(), 'reference')
  return { to, told: await reference.tools?.import?.(from, to) }
}

async function read(folder: string, type: string) {
  return JSON.parse(await readFile(join(folder, `${type}.json`), 'utf8'))
}

test('the public layout becomes ours, ids kept', async () => {
  const { to, told } = await importFrom(fixtures())
  assert.equal(
    told,
    `Imported 2 people, 1 planets, 1 films, 1 species, 1 vehicles, 1 starships into ${to}.`
  )
  assert.deepEqual(await read(to, 'people'), [
    {
      id: 2,
      name: 'Ann',
      height: '172 cm',
      mass: '1358 kg',
      hair_color: 'red',
      skin_color: 'fair',
      eye_color: 'blue',
      birth_year: '19BBY',
      gender: 'n/a',
      homeworld: 3,
      created: '2014-12-09T13:50:51.000000Z',
      edited: '2014-12-20T21:17:56.891000Z'
    },
    {
      id: 5,
      name: 'Bo',
      height: 'unknown',
      mass: 'n/a',
      hair_color: 'red',
      skin_color: 'fair',
      eye_color: 'blue',
      birth_year: '19BBY',
      gender: 'n/a',
      homeworld: null,
      created: '2014-12-09T13:50:51.644000Z',
      edited: '2014-12-20T21:17:56.891000Z'
    }
  ])
  const [film] = await read(to, 'films')
  assert.deepEqual([film.opening_crawl, film.edited], ['N/A \r\n', '2014-12-20T21:17:56.000000Z'])
  const [planet] = await read(to, 'planets')
  assert.equal(planet.diameter, '12742')
})

test('transport joins starships and vehicles', async () => {
  const { to } = await importFrom(fixtures())
  const [ship] = await read(to, 'starships')
  assert.deepEqual(ship, {
    id: 9,
    name: 'Ship',
    model: 'M',
    manufacturer: 'Yard',
    cost_in_credits: '3500000',
    length: '1600.5',
    max_atmosphering_speed: 'n/a',
    crew: '30-165',
    passengers: '600',
    cargo_capacity: 'unknown',
    consumables: '1 year',
    hyperdrive_rating: '2.0',
    MGLT: '60',
    starship_class: 'corvette',
    pilots: [2],
    created: '2014-12-09T13:50:51.644000Z',
    edited: '2014-12-20T21:17:56.891000Z'
  })
  const [cart] = await read(to, 'vehicles')
  assert.deepEqual([cart.name, cart.vehicle_class], ['Cart', 'wheeled'])
})

test('what is imported has warnings only, and is served', async () => {
  const { to } = await importFrom(fixtures())
  const findings = (await reference.tools?.check?.(to)) ?? []
  assert.deepEqual([...new Set(findings.map(({ level }) => level))], ['warning'])
  await using nonet = await start({ services: ['reference'], reference: { data: to } })
  const ann = await (await fetch(`${nonet.reference.url}/api/people/2/`)).json()
  assert.equal(ann.height, '172 cm')
  assert.deepEqual(ann.starships, [`${nonet.reference.url}/api/starships/9/`])
})

test('what is imported into the data folder is found there', async () => {
  const data = scratchFolder()
  const from = await writeFolder(fixtures())
  await reference.tools?.import?.(from, join(data, 'reference'))
  await using nonet = await start({ services: ['reference'], data })
  const { count } = await (await fetch(`${nonet.reference.url}/api/people/`)).json()
  assert.equal(count, 2)
})

test('what cannot be imported is said, and nothing is written', async () => {
  const rows: [(files: ReturnType<typeof fixtures>) => unknown, RegExp][] = [
    [(files) => delete files.transport, /cannot be imported\. transport\.json: cannot be read/],
    [
      (files) => Object.assign(files, { people: {} }),
      /^people\.json is not an array of \{model, pk, fields\}\.$/
    ],
    [
      (files) => Object.assign(files, { people: [{ pk: 1 }] }),
      /^people\.json holds an item without pk or fields\.$/
    ],
    [
      (files) => Object.assign(files, { people: [null] }),
      /^people\.json holds an item without pk or fields\.$/
    ],
    [
      (files) => Object.assign(files, { people: [{ pk: '1', fields: {} }] }),
      /without pk or fields/
    ],
    [
      (files) => Object.assign(files, { planets: [] }),
      /cannot be imported\. people\.json id 2: homeworld refers to planets 3/
    ],
    [
      (files) => Object.assign(files.people?.[0]?.fields ?? {}, { height: 172 }),
      /people\.json id 5: height must be a string/
    ],
    [
      (files) => Object.assign(files.films?.[0]?.fields ?? {}, { created: '2014-12-09' }),
      /films\.json id 1: created must be a UTC timestamp/
    ]
  ]
  for (const [change, message] of rows) {
    const files = fixtures()
    change(files)
    await assert.rejects(importFrom(files), { message })
  }
})
