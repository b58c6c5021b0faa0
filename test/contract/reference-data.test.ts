import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { start } from '../../src/host/start.ts'
import type { Kernel } from '../../src/kernel/service.ts'
import { reference } from '../../src/services/reference/index.ts'
import { type SmallUniverse, smallUniverse, writeFolder } from './reference-universe.ts'

const BUNDLED = fileURLToPath(new URL('../../data/reference', import.meta.url))

async function findings(folder: string): Promise<string[]> {
  const found = (await reference.tools?.check?.(folder)) ?? []
  return found.map(({ level, where, text }) => `${level} ${where}: ${text}`)
}

/** Breaks one thing in a sound data set and names what must be found, all of it. */
async function check(change: (universe: SmallUniverse) => unknown, ...wanted: string[]) {
  const universe = smallUniverse()
  change(universe)
  assert.deepEqual(await findings(await writeFolder(universe)), wanted)
}

/** The data, record by record, with what a test wants to set. */
type Open = Record<string, unknown>
function open(record: object | undefined): Open {
  return record as Open
}

test('the small universe is sound', () => check(() => {}))

test('the bundled data has no finding', async () => {
  assert.deepEqual(await findings(BUNDLED), [])
})

test('the bundled data has the size of the original, at least, and no gaps', async () => {
  await using nonet = await start({ services: ['reference'] })
  const all = await (await fetch(`${nonet.reference.url}/api/all.json`)).json()
  const least = { people: 82, planets: 60, films: 7, species: 37, vehicles: 39, starships: 36 }
  for (const [type, count] of Object.entries(least)) {
    assert.ok(all[type].length >= count, type)
    all[type].forEach((record: { url: string }, index: number) => {
      assert.ok(record.url.endsWith(`/api/${type}/${index + 1}/`), record.url)
    })
  }
  const [maren] = all.people
  assert.ok(maren.films.length >= 3 && maren.species.length === 1)
  assert.ok(maren.vehicles.length >= 2 && maren.starships.length >= 2)
})

test('height, mass, birth year and homeworld are always known in the bundled data', async () => {
  await using nonet = await start({ services: ['reference'] })
  const { people } = await (await fetch(`${nonet.reference.url}/api/all.json`)).json()
  for (const { name, height, mass, birth_year, homeworld } of people) {
    assert.match(height, /^\d+(\.\d+)? cm$/, name)
    assert.match(mass, /^\d+(\.\d+)? kg$/, name)
    assert.match(birth_year, /^\d+(\.\d+)?(BTR|ATR)$/, name)
    assert.match(homeworld, /\/api\/planets\/\d+\/$/, name)
  }
})

test('both directions of every relation agree', async () => {
  await using nonet = await start({ services: ['reference'] })
  const all = await (await fetch(`${nonet.reference.url}/api/all.json`)).json()
  const pairs = [
    ['people', 'homeworld', 'planets', 'residents'],
    ['films', 'characters', 'people', 'films'],
    ['films', 'planets', 'planets', 'films'],
    ['films', 'starships', 'starships', 'films'],
    ['films', 'vehicles', 'vehicles', 'films'],
    ['films', 'species', 'species', 'films'],
    ['species', 'people', 'people', 'species'],
    ['vehicles', 'pilots', 'people', 'vehicles'],
    ['starships', 'pilots', 'people', 'starships']
  ] as const
  for (const [type, field, other, mirror] of pairs) {
    const there = linksOf(all[type], field)
    const back = linksOf(all[other], mirror).map(([from, to]) => [to, from])
    assert.ok(there.length > 0, `${type}.${field}`)
    assert.deepEqual(sorted(there), sorted(back), `${type}.${field}`)
  }
})

test('every record of the bundled data is as its schema says', async () => {
  await using nonet = await start({ services: ['reference'] })
  const all = await (await fetch(`${nonet.reference.url}/api/all.json`)).json()
  for (const [type, records] of Object.entries<Record<string, unknown>[]>(all)) {
    const answer = await fetch(`${nonet.reference.url}/api/${type}/schema`)
    const { properties, required } = await answer.json()
    for (const record of records) {
      assert.deepEqual(Object.keys(record), required)
      for (const [name, value] of Object.entries(record)) {
        assert.ok([properties[name].type].flat().includes(typeOf(value)), `${type} ${name}`)
      }
    }
  }
})

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' ? 'integer' : typeof value
}

function linksOf(records: Record<string, string | string[]>[], field: string): unknown[][] {
  return records.flatMap((record) => [record[field]].flat().map((to) => [record.url, to]))
}

function sorted(pairs: unknown[][]): string[] {
  return pairs.map((pair) => pair.join(' ')).sort()
}

test('a file that is missing or broken', async () => {
  const { people: _, ...rest } = smallUniverse()
  const [missing] = await findings(await writeFolder(rest))
  assert.match(missing ?? '', /^error people\.json: cannot be read: ENOENT/)
  const [broken] = await findings(await writeFolder({ ...smallUniverse(), films: '[{' }))
  assert.match(broken ?? '', /^error films\.json: cannot be read: .*JSON/)
})

test('a universe without its texts', async () => {
  await check(
    (small) => Object.assign(small, { universe: { name: 'X', era: { before: 'BXX' } } }),
    'error universe.json: summary must be a string',
    'error universe.json: after must be a string',
    'error universe.json: event must be a string'
  )
  await check(
    (small) => Object.assign(small, { universe: [] }),
    ...['name', 'summary', 'before', 'after', 'event'].map(
      (name) => `error universe.json: ${name} must be a string`
    )
  )
})

test('a type that is no array, a record that is no object', async () => {
  await check(
    (small) => Object.assign(small, { planets: {} }),
    'error planets.json: must be an array'
  )
  await check(
    (small) => small.planets.push(JSON.parse('null')),
    'error planets.json #2: must be an object'
  )
})

test('ids are whole, positive and unique', async () => {
  const bad = 'error vehicles.json #1: id must be a whole number from 1'
  await check(({ vehicles }) => Object.assign(open(vehicles[0]), { id: 0 }), bad)
  await check(({ vehicles }) => Object.assign(open(vehicles[0]), { id: 1.5 }), bad)
  await check(({ vehicles }) => Object.assign(open(vehicles[0]), { id: '1' }), bad)
  await check(
    ({ people }) => Object.assign(open(people[1]), { id: 1 }),
    'error people.json id 1: the id is used twice'
  )
})

test('fields are there and of their type', async () => {
  await check(({ people }) => {
    delete open(people[0]).gender
  }, 'error people.json id 1: gender must be a string')
  await check(
    ({ people, films, species, planets }) => {
      Object.assign(open(people[0]), { height: 160, homeworld: '1' })
      Object.assign(open(films[0]), { episode_id: '1', planets: [1, 0], species: 1 })
      Object.assign(open(species[0]), { people: 'x' })
      Object.assign(open(planets[0]), {
        created: '2020-01-02T03:04:05Z',
        edited: '2020-02-30T03:04:05.000000Z'
      })
    },
    ...[
      'error people.json id 1: height must be a string',
      'error people.json id 1: homeworld must be an id or null',
      'error planets.json id 1: created must be a UTC timestamp with six fraction digits and Z',
      'error planets.json id 1: edited must be a UTC timestamp with six fraction digits and Z',
      'error films.json id 1: episode_id must be a whole number',
      'error films.json id 1: planets must be an array of ids',
      'error films.json id 1: species must be an array of ids',
      'error species.json id 1: people must be an array of ids'
    ]
  )
})

test('a field that is not served', () =>
  check(
    ({ films, people }) => {
      Object.assign(open(people[0]), { set_in: '1AXX' })
      Object.assign(open(films[0]), { budget: 1 })
    },
    'warning people.json id 1: set_in is an unknown field',
    'warning films.json id 1: budget is an unknown field'
  ))

test('references resolve', () =>
  check(
    ({ people, films }) => {
      open(people[0]).homeworld = 7
      films[0]?.starships.push(9)
    },
    'error people.json id 1: homeworld refers to planets 7, which does not exist',
    'error films.json id 1: starships refers to starships 9, which does not exist'
  ))

test('how values are written', async () => {
  const rows: [string, string, string][] = [
    ['name', ' Ann', 'name starts or ends with a space'],
    ['gender', '', 'gender is empty; use unknown, n/a or none'],
    [
      'gender',
      'N/A',
      'gender is spelled "N/A"; the special words are unknown, n/a, none and indefinite'
    ],
    [
      'gender',
      'Unknown',
      'gender is spelled "Unknown"; the special words are unknown, n/a, none and indefinite'
    ],
    ['hair_color', 'a colour of many words', 'hair_color is longer than 20 characters'],
    ['hair_color', 'red;blue', 'hair_color must separate items with a comma and a space'],
    ['hair_color', 'red,blue', 'hair_color must separate items with a comma and a space'],
    ['hair_color', 'red , blue', 'hair_color must separate items with a comma and a space'],
    ['hair_color', 'red,', 'hair_color must separate items with a comma and a space'],
    ['height', '160', 'height must be digits, a space and cm, not "160"'],
    ['height', '1.6 m', 'height must be digits, a space and cm, not "1.6 m"'],
    ['mass', '50 Kg', 'mass must be digits, a space and kg, not "50 Kg"'],
    ['birth_year', '5 BXX', 'birth_year is "5 BXX"'],
    ['birth_year', '5BBY', 'birth_year is "5BBY"']
  ]
  for (const [field, value, text] of rows) {
    await check(({ people }) => {
      open(people[0])[field] = value
    }, `warning people.json id 1: ${text}`)
  }
})

test('how numbers are written', () =>
  check(
    ({ starships }) => Object.assign(open(starships[0]), { crew: '30-165', length: '12.5 m' }),
    'warning starships.json id 1: length must be digits, not "12.5 m"',
    'warning starships.json id 1: crew must be digits, not "30-165"'
  ))

test('a null homeworld is worth a word for a person only', () =>
  check(({ people }) => {
    open(people[0]).homeworld = null
  }, 'warning people.json id 1: homeworld is null'))

test('dates are real and in order', async () => {
  await check(({ films }) => {
    open(films[0]).release_date = '2021-02-29'
  }, 'warning films.json id 1: release_date is not a date: "2021-02-29"')
  await check(({ films }) => {
    open(films[0]).release_date = 'soon'
  }, 'warning films.json id 1: release_date is not a date: "soon"')
  await check(({ films }) => {
    open(films[0]).edited = '2019-01-01T00:00:00.000000Z'
  }, 'warning films.json id 1: edited is earlier than created')
})

test('records agree with each other', async () => {
  await check(({ films }) => {
    open(films[0]).species = []
  }, 'warning films.json id 1: has people of species 1 but does not list it')
  await check(({ people }) => {
    open(people[0]).birth_year = '4AXX'
  }, 'warning people.json id 1: born in 4AXX, after every film they are in')
  await check(({ people }) => {
    open(people[0]).birth_year = '3AXX'
  })
  await check(({ people, films }) => {
    open(people[0]).birth_year = '4AXX'
    open(films[0]).characters = [2]
  })
  await check(
    ({ films }) => films.push({ ...smallUniverse().films[0], id: 2 } as SmallUniverse['films'][0]),
    'warning films.json id 2: episode_id 1 is used twice'
  )
  await check(({ vehicles }) => {
    open(vehicles[0]).pilots = [1, 1]
  }, 'warning vehicles.json id 1: pilots contains a record twice')
})

test('gaps in the ids', async () => {
  await check(({ planets, people }) => {
    open(planets[0]).id = 3
    for (const person of people) open(person).homeworld = 3
  }, 'error films.json id 1: planets refers to planets 1, which does not exist')
  await check(({ vehicles, films }) => {
    open(vehicles[0]).id = 3
    open(films[0]).vehicles = [3]
  }, 'warning vehicles.json: 2 of the ids from 1 to 3 are missing')
  await check(
    ({ people }) => {
      open(people[1]).id = 3
    },
    ...['error films.json id 1: characters refers to people 2, which does not exist']
  )
  await check(({ people, films }) => {
    open(people[1]).id = 3
    open(films[0]).characters = [1]
  }, 'warning people.json: 1 of the ids from 1 to 3 is missing')
})

test('a data set of your own is served', async () => {
  const small = smallUniverse()
  open(small.films[0]).characters = [2, 1, 2]
  const data = await writeFolder(small)
  await using nonet = await start({ services: ['reference'], reference: { data } })
  const { url } = nonet.reference
  const film = await (await fetch(`${url}/api/films/1/`)).json()
  assert.deepEqual(film.characters, [`${url}/api/people/1/`, `${url}/api/people/2/`])
  assert.equal(film.set_in, undefined)
  const bo = await (await fetch(`${url}/api/people/2/?units=off`)).json()
  assert.deepEqual([bo.height, bo.mass, bo.species], ['unknown', '1400', []])
  const page = await fetch(url, { headers: { accept: 'text/html' } })
  assert.match(await page.text(), /<h1>Small<\/h1>/)
})

test('a person without a homeworld is served with null', async () => {
  const small = smallUniverse()
  open(small.people[0]).homeworld = null
  const data = await writeFolder(small)
  await using nonet = await start({ services: ['reference'], reference: { data } })
  const ann = await (await fetch(`${nonet.reference.url}/api/people/1/`)).json()
  assert.equal(ann.homeworld, null)
})

test('names cannot break out of a page or a picture', async () => {
  const small = smallUniverse()
  open(small.people[0]).name = '<script>alert(1)</script>\u0001&"\''
  open(small.films[0]).title = '</text><script>'
  const data = await writeFolder(small)
  await using nonet = await start({ services: ['reference'], reference: { data } })
  const { url } = nonet.reference
  for (const path of [
    'people/1/',
    'people/',
    'films/1/',
    'people/1/image.svg',
    'films/1/image.svg'
  ]) {
    const answer = await fetch(`${url}/api/${path}`, { headers: { accept: 'text/html' } })
    const text = await answer.text()
    // The head of a page has the script of all pages.
    assert.doesNotMatch(text.slice(Math.max(0, text.indexOf('<main'))), /<script/)
  }
  const picture = await (await fetch(`${url}/api/people/1/image.svg`)).text()
  assert.match(picture, /<title>&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp;&quot;&#39;<\/title>/)
})

test('a data set with errors refuses to start and says what to do', async () => {
  const small = smallUniverse()
  for (const person of small.people) Object.assign(person, { homeworld: 7, species: 1 })
  films(small)
  const data = await writeFolder(small)
  await assert.rejects(start({ services: ['reference'], reference: { data } }), {
    message:
      `The data set in ${data} cannot be served. ` +
      'people.json id 1: homeworld refers to planets 7, which does not exist; ' +
      'people.json id 2: homeworld refers to planets 7, which does not exist; ' +
      'films.json id 1: planets refers to planets 8, which does not exist; and 1 more. ' +
      `To list all problems, run: nonet check reference ${data}`
  })
})

function films(small: SmallUniverse): void {
  open(small.films[0]).planets = [8, 9]
}

test('units are on or off', async () => {
  await assert.rejects(start({ services: ['reference'], reference: { units: 'maybe' } }), {
    message: '--reference-units must be one of on, off'
  })
})

test('the service introduces itself', () => {
  const { name, label, compatibleWith: worksWith, example } = reference
  assert.deepEqual(
    [name, label, worksWith, example.path],
    ['reference', 'I-1', 'SWAPI', '/api/people/1/']
  )
})

test('the operator is told which data set is served, unless it is the bundled one', async () => {
  const own = await writeFolder(smallUniverse())
  const nowhere = join(own, 'nowhere')
  assert.equal(await remarkOf(nowhere, undefined), undefined)
  assert.equal(await remarkOf(nowhere, own), `serving Small from ${own}`)
  assert.equal(await remarkOf(own, undefined), `serving Small from ${own}`)
})

async function remarkOf(folder: string, data: string | undefined): Promise<string | undefined> {
  // Mounting borrows only these two.
  const kernel: Pick<Kernel, 'baseUrl' | 'folder'> = { baseUrl: () => 'http://here', folder }
  const { startupNote: remark } = await reference.mount(kernel as Kernel, { units: 'on', data })
  return remark
}
