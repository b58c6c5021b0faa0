import assert from 'node:assert/strict'
import { type Answer, contract, type Expected } from '../support/contract.ts'
import { body, get, MAREN, missing, plain, subject } from './reference-rows.ts'

function page(wanted: { next: string | null; previous: string | null; names: number }) {
  return {
    check({ text }: Answer) {
      const { next, previous, results } = JSON.parse(plain(text))
      assert.deepEqual({ next, previous, names: results.length }, wanted)
    }
  }
}

contract('I-1, what the seed shows', subject, [
  get('a person record, its 16 keys in order', '/api/people/1/', {
    type: 'application/json',
    ...body(MAREN)
  }),
  get('created and edited have six fraction digits and a Z', '/api/people/3/', {
    check({ text }) {
      const { created, edited } = JSON.parse(text)
      for (const stamp of [created, edited]) assert.match(stamp, /^[-\d]+T[:\d]+\.\d{6}Z$/)
    }
  })
])

const ROOT =
  '{"people":"http://here/api/people/","planets":"http://here/api/planets/",' +
  '"films":"http://here/api/films/","species":"http://here/api/species/",' +
  '"vehicles":"http://here/api/vehicles/","starships":"http://here/api/starships/"}'

contract('I-1, addresses of the original', subject, [
  get('the root lists the six types', '/api/', { type: 'application/json', ...body(ROOT) }),
  get('the root without its slash', '/api', body(ROOT)),
  get('the address itself answers programs with the root', '/', body(ROOT)),
  get('a record without its slash is answered without a redirect', '/api/people/1', body(MAREN)),
  get(
    'a list without its slash',
    '/api/people',
    page({ next: 'http://here/api/people/?page=2', previous: null, names: 10 })
  ),
  get('a planet lists its residents and films', '/api/planets/1/', {
    check({ text }) {
      const planet = JSON.parse(plain(text))
      assert.deepEqual(Object.keys(planet), [
        'name',
        'rotation_period',
        'orbital_period',
        'diameter',
        'climate',
        'gravity',
        'terrain',
        'surface_water',
        'population',
        'residents',
        'films',
        'created',
        'edited',
        'url'
      ])
      assert.ok(planet.residents.includes('http://here/api/people/1/'))
      assert.ok(planet.films.includes('http://here/api/films/1/'))
    }
  }),
  get('a film has a number, CRLF in its crawl, and links', '/api/films/1/', {
    check({ text }) {
      const film = JSON.parse(plain(text))
      assert.deepEqual(Object.keys(film), [
        'title',
        'episode_id',
        'opening_crawl',
        'director',
        'producer',
        'release_date',
        'characters',
        'planets',
        'starships',
        'vehicles',
        'species',
        'created',
        'edited',
        'url'
      ])
      assert.equal(film.episode_id, 3)
      assert.match(film.opening_crawl, /\r\n/)
      assert.equal(film.characters[0], 'http://here/api/people/1/')
      assert.equal(film.starships[0], 'http://here/api/starships/3/')
    }
  }),
  get('a species may have no homeworld', '/api/species/2/', {
    check({ text }) {
      const species = JSON.parse(plain(text))
      assert.deepEqual(Object.keys(species), [
        'name',
        'classification',
        'designation',
        'average_height',
        'skin_colors',
        'hair_colors',
        'eye_colors',
        'average_lifespan',
        'homeworld',
        'language',
        'people',
        'films',
        'created',
        'edited',
        'url'
      ])
      assert.equal(species.homeworld, null)
      assert.ok(species.people.includes('http://here/api/people/3/'))
    }
  }),
  get('a vehicle lists its pilots', '/api/vehicles/1/', {
    check({ text }) {
      const vehicle = JSON.parse(plain(text))
      assert.deepEqual(Object.keys(vehicle), [
        'name',
        'model',
        'manufacturer',
        'cost_in_credits',
        'length',
        'max_atmosphering_speed',
        'crew',
        'passengers',
        'cargo_capacity',
        'consumables',
        'vehicle_class',
        'pilots',
        'films',
        'created',
        'edited',
        'url'
      ])
      assert.ok(vehicle.pilots.includes('http://here/api/people/1/'))
    }
  }),
  get('a starship spells MGLT in capitals', '/api/starships/1/', {
    check({ text }) {
      const starship = JSON.parse(plain(text))
      assert.deepEqual(Object.keys(starship), [
        'name',
        'model',
        'manufacturer',
        'cost_in_credits',
        'length',
        'max_atmosphering_speed',
        'crew',
        'passengers',
        'cargo_capacity',
        'consumables',
        'hyperdrive_rating',
        'MGLT',
        'starship_class',
        'pilots',
        'films',
        'created',
        'edited',
        'url'
      ])
      assert.ok(starship.pilots.includes('http://here/api/people/1/'))
    }
  }),
  missing('an unknown id', '/api/people/999/'),
  missing('an id that is no number', '/api/people/luke/'),
  missing('id zero', '/api/people/0/'),
  missing('an id with a leading zero', '/api/people/01/'),
  missing('an id longer than any number', `/api/people/${'9'.repeat(3000)}/`),
  missing('an address outside the six types', '/api/droids/'),
  missing('an address outside the api', '/graphql'),
  missing('a malformed escape', '/api/people/%zz/'),
  missing('an unknown address below a record', '/api/people/1/films/')
])

contract('I-1, lists of the original', subject, [
  get('the first page: count, next, previous, ten results', '/api/people/', {
    check({ text }) {
      const list = JSON.parse(plain(text))
      assert.deepEqual(Object.keys(list), ['count', 'next', 'previous', 'results'])
      assert.equal(list.count, 88)
      assert.equal(JSON.stringify(list.results[0]), MAREN)
    }
  }),
  get(
    'the second page names page 1 as its previous',
    '/api/people/?page=2',
    page({
      next: 'http://here/api/people/?page=3',
      previous: 'http://here/api/people/?page=1',
      names: 10
    })
  ),
  get(
    'the last page has no next',
    '/api/people/?page=9',
    page({ next: null, previous: 'http://here/api/people/?page=8', names: 8 })
  ),
  get(
    'the last page by its word',
    '/api/people/?page=last',
    page({ next: null, previous: 'http://here/api/people/?page=8', names: 8 })
  ),
  get(
    'an empty page is page 1',
    '/api/people/?page=',
    page({ next: 'http://here/api/people/?page=2', previous: null, names: 10 })
  ),
  get(
    'of repeated parameters the last counts',
    '/api/people/?page=7&page=9',
    page({ next: null, previous: 'http://here/api/people/?page=8', names: 8 })
  ),
  missing('page 0', '/api/people/?page=0'),
  missing('a page past the end', '/api/people/?page=10'),
  missing('a page that is no number', '/api/people/?page=abc'),
  missing('a negative page', '/api/people/?page=-1'),
  missing('a page with a fraction', '/api/people/?page=1.5'),
  get(
    'other parameters are kept in next and previous',
    '/api/people/?search=a&page=2&format=json',
    page({
      next: 'http://here/api/people/?search=a&page=3&format=json',
      previous: 'http://here/api/people/?search=a&page=1&format=json',
      names: 10
    })
  ),
  get(
    'every term of a search must occur',
    '/api/people/?search=okrul%20ZD',
    names(['Zdrana Okrul'])
  ),
  get('terms may be separated by commas', '/api/people/?search=okrul,zd', names(['Zdrana Okrul'])),
  get(
    'a search ignores case',
    '/api/people/?search=TØRRVIK',
    names([
      'Maren Tørrvik',
      'Halvard Tørrvik',
      'Eskil Tørrvik',
      'Ingvild Tørrvik',
      'Sunniva Tørrvik'
    ])
  ),
  get('a search that finds nothing is an empty first page', '/api/people/?search=nobody', {
    json: { count: 0, next: null, previous: null, results: [] }
  }),
  missing('a second page of nothing', '/api/people/?search=nobody&page=2'),
  get(
    'an empty search does not filter',
    '/api/people/?search=',
    page({ next: 'http://here/api/people/?search=&page=2', previous: null, names: 10 })
  ),
  get(
    'a search that is only blanks does not filter',
    '/api/people/?search=%20,',
    page({ next: 'http://here/api/people/?search=+%2C&page=2', previous: null, names: 10 })
  ),
  get(
    'films are searched by title',
    '/api/films/?search=lamp',
    names(['The Road Without Lamps', 'The Tenth Lamp'], 'title')
  ),
  get(
    'starships are searched by model too',
    '/api/starships/?search=vigil',
    names(['Toll cutter'])
  ),
  get(
    'a term in the name and one in the model',
    '/api/starships/?search=toll+vigil',
    names(['Toll cutter'])
  ),
  get('vehicles are searched by name', '/api/vehicles/?search=ketch', names(['Storm ketch'])),
  get(
    'unknown parameters are ignored',
    '/api/people/?colour=red&search=zdrana',
    names(['Zdrana Okrul'])
  )
])

function names(wanted: readonly string[], field = 'name'): Pick<Expected, 'check'> {
  return {
    check({ text }) {
      const { results } = JSON.parse(text)
      assert.deepEqual(
        results.map((record: Record<string, string>) => record[field]),
        wanted
      )
    }
  }
}
