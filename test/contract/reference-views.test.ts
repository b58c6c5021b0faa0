import assert from 'node:assert/strict'
import { contract } from '../support/contract.ts'
import {
  answers,
  counts,
  get,
  missing,
  plain,
  refuses,
  results,
  subject
} from './reference-rows.ts'

const EVERYONE = 88

const LITTLE_MAREN = { name: 'Maren Tørrvik', height: '171 cm', mass: '66 kg' }
const LITTLE = 'fields=name,height,mass'

contract('I-1, views of a record', subject, [
  get('fields keep the order of the record', '/api/people/1/?fields=url,mass,name', {
    check: ({ text }) =>
      assert.equal(
        plain(text),
        '{"name":"Maren Tørrvik","mass":"66 kg","url":"http://here/api/people/1/"}'
      )
  }),
  get(
    'empty names in a list are none',
    '/api/people/1/?fields=,name,,&expand=,',
    answers({ name: 'Maren Tørrvik' })
  ),
  get('empty fields are all', '/api/people/1/?fields=', {
    check: ({ text }) => assert.equal(Object.keys(JSON.parse(text)).length, 16)
  }),
  refuses(
    'an unknown field',
    '/api/people/1/?fields=name,hight',
    /^Unknown field 'hight' in fields\. Known: name, height, .*, url\.$/
  ),
  refuses('an unknown field in a list', '/api/people/?fields=hight', /^Unknown field 'hight'/),
  refuses(
    'image is a field only when included',
    '/api/people/1/?fields=image',
    /^Unknown field 'image'/
  ),
  get(
    'units off',
    `/api/people/1/?units=off&${LITTLE}`,
    answers({ name: 'Maren Tørrvik', height: '171', mass: '66' })
  ),
  get('units on', `/api/people/1/?units=on&${LITTLE}`, answers(LITTLE_MAREN)),
  get(
    'units off in a list',
    '/api/people/?units=off&page_size=1&fields=height,name',
    results({ name: 'Maren Tørrvik', height: '171' })
  ),
  refuses('units otherwise', '/api/people/1/?units=metric', 'units must be on or off.'),
  get(
    'an image on request, last',
    '/api/people/1/?include=image&fields=name,image',
    answers({ name: 'Maren Tørrvik', image: 'http://here/api/people/1/image.svg' })
  ),
  get('an image is the 17th key', '/api/people/1/?include=image', {
    check: ({ text }) => assert.deepEqual(Object.keys(JSON.parse(text)).slice(15), ['url', 'image'])
  }),
  get(
    'an included image can be left out',
    '/api/people/1/?include=image&fields=name',
    answers({ name: 'Maren Tørrvik' })
  ),
  refuses(
    'nothing else can be included',
    '/api/people/1/?include=sound',
    "Unknown name 'sound' in include. Known: image."
  ),
  get('a link as a record', '/api/people/1/?expand=homeworld&fields=homeworld', {
    check({ text }) {
      const { homeworld } = JSON.parse(plain(text))
      assert.equal(homeworld.name, 'Sundrey')
      assert.equal(homeworld.films[0], 'http://here/api/films/1/')
    }
  }),
  get('links as records', '/api/people/1/?expand=species,vehicles&fields=species,vehicles', {
    check({ text }) {
      const { species, vehicles } = JSON.parse(text)
      assert.equal(species[0].name, 'Human')
      assert.deepEqual(
        vehicles.map((one: { name: string }) => one.name),
        ['Surf launch', 'Ski cutter', 'Storm ketch']
      )
    }
  }),
  get('links of links', '/api/people/1/?expand=films.planets,films.species&fields=films', {
    check({ text }) {
      const [film] = JSON.parse(plain(text)).films
      assert.equal(film.title, 'Nine Voices')
      assert.equal(film.planets[0].name, 'Sundrey')
      assert.equal(film.species[0].name, 'Human')
      assert.equal(film.characters[0], 'http://here/api/people/1/')
      assert.equal(film.planets[0].residents[0], 'http://here/api/people/1/')
    }
  }),
  get(
    'what is embedded obeys units and include, but not fields',
    '/api/planets/1/?expand=residents&units=off&include=image&fields=residents',
    {
      check({ text }) {
        const [maren] = JSON.parse(plain(text)).residents
        assert.equal(maren.height, '171')
        assert.equal(maren.image, 'http://here/api/people/1/image.svg')
      }
    }
  ),
  get(
    'no homeworld stays null',
    '/api/species/2/?expand=homeworld&fields=homeworld',
    answers({ homeworld: null })
  ),
  get('expand in a list', '/api/people/?expand=homeworld&page_size=1&fields=homeworld', {
    check: ({ text }) => assert.equal(JSON.parse(text).results[0].homeworld.name, 'Sundrey')
  }),
  get(
    'links that are left out are not followed',
    '/api/people/?page_size=500&expand=films.characters&fields=name',
    counts(EVERYONE)
  ),
  refuses(
    'an unknown link',
    '/api/people/1/?expand=parents',
    "Unknown field 'parents' in expand. Known: homeworld, films, species, vehicles, starships."
  ),
  refuses(
    'a field that is no link',
    '/api/people/1/?expand=films.director',
    /^Unknown field 'director' in expand\. Known: characters, /
  ),
  refuses(
    'three deep',
    '/api/people/1/?expand=films.characters.films',
    "'films.characters.films' in expand is deeper than 2 links."
  ),
  refuses(
    'too many records',
    '/api/people/?page_size=500&expand=films.characters',
    'expand would embed more than 2000 records. Ask for fewer at once.'
  )
])

const HUNDRED = Array.from({ length: 100 }, () => '1').join(',')

contract('I-1, several records', subject, [
  get(
    'several ids in the order asked for',
    `/api/people/3,1/?${LITTLE}`,
    answers([{ name: 'Carry the One', height: '142 cm', mass: '88.5 kg' }, LITTLE_MAREN])
  ),
  get(
    'several ids without the slash',
    `/api/people/1,1?${LITTLE}`,
    answers([LITTLE_MAREN, LITTLE_MAREN])
  ),
  get('several plain records', '/api/people/1,2/', {
    check: ({ text }) =>
      assert.deepEqual(
        JSON.parse(text).map((one: { name: string }) => one.name),
        ['Maren Tørrvik', 'Odrane Vauquelin']
      )
  }),
  get('a hundred', `/api/people/${HUNDRED}/`, {
    check: ({ text }) => assert.equal(JSON.parse(text).length, 100)
  }),
  refuses('more than a hundred', `/api/people/${HUNDRED},1/`, 'At most 100 ids at once.'),
  missing('one of them unknown', '/api/people/1,999/'),
  missing('a comma too many', '/api/people/1,/'),
  get('everything at once', '/api/all.json', {
    type: 'application/json',
    check({ text }) {
      const all = JSON.parse(plain(text))
      assert.deepEqual(Object.keys(all), [
        'people',
        'planets',
        'films',
        'species',
        'vehicles',
        'starships'
      ])
      assert.equal(all.people.length, EVERYONE)
      assert.equal(all.people[0].url, 'http://here/api/people/1/')
      assert.equal(all.people[0].height, '171 cm')
      assert.equal(all.people[0].image, undefined)
    }
  }),
  get('everything without units, with images', '/api/all.json?units=off&include=image', {
    check({ text }) {
      const [maren] = JSON.parse(plain(text)).people
      assert.equal(maren.height, '171')
      assert.equal(maren.image, 'http://here/api/people/1/image.svg')
    }
  }),
  refuses('everything with bad units', '/api/all.json?units=x', 'units must be on or off.'),
  {
    proves: 'everything is JSON for a browser too',
    send: { path: '/api/all.json', headers: { accept: 'text/html' } },
    expect: { status: 200, type: 'application/json' }
  }
])

contract('I-1 without units', { service: 'reference', options: { units: 'off' } }, [
  get(
    'the whole server',
    `/api/people/1/?${LITTLE}`,
    answers({ name: 'Maren Tørrvik', height: '171', mass: '66' })
  ),
  get('a default record', '/api/people/1/', {
    check: ({ text }) => assert.equal(JSON.parse(text).mass, '66')
  }),
  get('a request may ask for them', `/api/people/1/?units=on&${LITTLE}`, answers(LITTLE_MAREN)),
  get('everything', '/api/all.json', {
    check: ({ text }) => assert.equal(JSON.parse(text).people[0].mass, '66')
  })
])

contract('I-1, images', subject, [
  get('a picture that can neither load nor run anything', '/api/people/1/image.svg', {
    type: 'image/svg+xml',
    text: /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 200 200" role="img">\n<title>Maren Tørrvik<\/title>/,
    headers: {
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      etag: /^"/
    }
  }),
  get('a picture of each type', '/api/starships/1/image.svg', { text: /<title>Second Verse</ }),
  {
    proves: 'a picture whatever is accepted',
    send: { path: '/api/films/1/image.svg', headers: { accept: 'image/avif' } },
    expect: { status: 200, type: 'image/svg+xml' }
  },
  missing('a picture of nobody', '/api/people/999/image.svg'),
  missing('a picture of two', '/api/people/1,2/image.svg'),
  missing('a picture of a word', '/api/people/x/image.svg')
])
