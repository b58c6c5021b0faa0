import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scratchFolder } from '../support/scratch-folder.ts'

const STAMPS = { created: '2020-01-02T03:04:05.000006Z', edited: '2020-02-03T04:05:06.000007Z' }

const CRAFT = {
  model: 'M-1',
  manufacturer: 'Two Brothers, Yard Three',
  cost_in_credits: '1000',
  length: '12.5',
  max_atmosphering_speed: 'n/a',
  crew: '1',
  passengers: '0',
  cargo_capacity: 'none',
  consumables: '2 days'
}

/** One or two records of each type: the smallest data set without a finding. */
export function smallUniverse() {
  return {
    universe: {
      name: 'Small',
      summary: 'A universe for tests.',
      era: { before: 'BXX', after: 'AXX', event: 'The event.' }
    },
    people: [
      {
        id: 1,
        name: 'Ann',
        height: '160 cm',
        mass: '50.5 kg',
        hair_color: 'red',
        skin_color: 'fair',
        eye_color: 'blue',
        birth_year: '5BXX',
        gender: 'female',
        homeworld: 1 as number | null,
        ...STAMPS
      },
      {
        id: 2,
        name: 'Bo',
        height: 'unknown',
        mass: '1400 kg',
        hair_color: 'none',
        skin_color: 'grey',
        eye_color: 'black',
        birth_year: 'unknown',
        gender: 'n/a',
        homeworld: 1 as number | null,
        ...STAMPS
      }
    ],
    planets: [
      {
        id: 1,
        name: 'Earthly',
        rotation_period: '24',
        orbital_period: '365',
        diameter: '12742',
        climate: 'mild, wet',
        gravity: '1 standard',
        terrain: 'plains, sea',
        surface_water: '71',
        population: '8000000000',
        ...STAMPS
      }
    ],
    films: [
      {
        id: 1,
        title: 'The First',
        episode_id: 1,
        opening_crawl: 'Once;\r\nupon ,a time',
        director: 'D',
        producer: 'P, Q',
        release_date: '2020-02-29',
        set_in: '3AXX',
        characters: [1, 2],
        planets: [1],
        starships: [1],
        vehicles: [1],
        species: [1],
        ...STAMPS
      }
    ],
    species: [
      {
        id: 1,
        name: 'Kind',
        classification: 'mammal',
        designation: 'sentient',
        average_height: '170',
        skin_colors: 'fair, dark',
        hair_colors: 'red',
        eye_colors: 'blue',
        average_lifespan: 'indefinite',
        homeworld: null as number | null,
        language: 'Kindly',
        people: [1],
        ...STAMPS
      }
    ],
    vehicles: [{ id: 1, name: 'Cart', ...CRAFT, vehicle_class: 'cart', pilots: [1], ...STAMPS }],
    starships: [
      {
        id: 1,
        name: 'Ship',
        ...CRAFT,
        hyperdrive_rating: '1.0',
        MGLT: '70',
        starship_class: 'sloop',
        pilots: [1],
        ...STAMPS
      }
    ]
  }
}

export type SmallUniverse = ReturnType<typeof smallUniverse>

/** A folder with one JSON file for each key; texts are written as they are. */
export async function writeFolder(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = scratchFolder()
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    await writeFile(join(folder, `${name}.json`), text)
  }
  return folder
}
