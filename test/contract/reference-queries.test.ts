import assert from 'node:assert/strict'
import { contract, type Expected } from '../support/contract.ts'
import { counts, get, plain, refuses, results, subject } from './reference-rows.ts'

const EVERYONE = 88

function named(...names: string[]): Pick<Expected, 'check'> {
  return results(...names.map((name) => ({ name })))
}

const BAD_SIZE = 'page_size must be a whole number from 1 to 500.'

contract('I-1, page size', subject, [
  get('all in one request', '/api/people/?page_size=500', {
    check({ text }) {
      const list = JSON.parse(text)
      assert.deepEqual([list.next, list.results.length], [null, EVERYONE])
    }
  }),
  get(
    'one by one',
    '/api/people/?page_size=1&page=88&fields=name',
    results({ name: 'Isaure Vauquelin' })
  ),
  get(
    'limit is the same',
    '/api/people/?limit=2&page=2&fields=name',
    named('Carry the One', 'Halvard Tørrvik')
  ),
  get(
    'page_size beats limit',
    '/api/people/?limit=2&page_size=1&fields=name',
    named('Maren Tørrvik')
  ),
  get('a full last page has no next', '/api/people/?page_size=44&page=2&fields=name', {
    check({ text }) {
      const list = JSON.parse(plain(text))
      assert.equal(list.next, null)
      assert.equal(list.results.length, 44)
    }
  }),
  refuses('page_size 0', '/api/people/?page_size=0', BAD_SIZE),
  refuses('page_size 501', '/api/people/?page_size=501', BAD_SIZE),
  refuses('page_size as a word', '/api/people/?page_size=all', BAD_SIZE),
  refuses('a bad limit', '/api/people/?limit=-1', BAD_SIZE)
])

contract('I-1, ordering', subject, [
  get(
    'numbers in texts are compared as numbers',
    '/api/people/?ordering=height&page_size=2&fields=name,height',
    results(
      { name: 'Tansy Tuckamore', height: '91 cm' },
      { name: 'Nib Tuckamore', height: '94 cm' }
    )
  ),
  get(
    'descending',
    '/api/people/?ordering=-height&page_size=2&fields=name,height',
    results(
      { name: 'Warden of the Ninth', height: '402 cm' },
      { name: 'Warden of the Tenth', height: '388 cm' }
    )
  ),
  get(
    'years before the event are earlier',
    '/api/people/?ordering=birth_year&page_size=2&fields=birth_year',
    results({ birth_year: '2210BTR' }, { birth_year: '500BTR' })
  ),
  get(
    'the latest years first',
    '/api/people/?ordering=-birth_year&page_size=1&fields=birth_year',
    results({ birth_year: '60ATR' })
  ),
  get(
    'whole numbers',
    '/api/films/?ordering=-episode_id&page_size=2&fields=episode_id',
    results({ episode_id: 7 }, { episode_id: 6 })
  ),
  get(
    'unknown comes last ascending',
    '/api/planets/?ordering=population&page_size=1&page=last&fields=population',
    results({ population: 'unknown' })
  ),
  get(
    'unknown comes last descending',
    '/api/planets/?ordering=-population&page_size=1&page=last&fields=population',
    results({ population: 'unknown' })
  ),
  get(
    'a second field decides among the unknown too',
    '/api/starships/?cost_in_credits=unknown&ordering=cost_in_credits,-name&page_size=2&fields=name',
    named('Wick-cutter', 'Unsigned hulk')
  ),
  get(
    'a second field decides ties',
    '/api/species/?ordering=designation,-name&page_size=2&fields=designation,name',
    results(
      { name: 'Repeater', designation: 'disputed' },
      { name: 'Tide mare', designation: 'non-sentient' }
    )
  ),
  get(
    'ties keep the order of ids',
    '/api/people/?ordering=gender&gender=male&page_size=2&fields=name',
    named('Halvard Tørrvik', 'Dašen Okrul')
  ),
  get(
    'names as people sort them',
    '/api/people/?ordering=name&page_size=2&fields=name',
    named('Ada Keelson', 'Aldous Farrow')
  ),
  get(
    'sort with a direction',
    '/api/films/?sort=title:desc&page_size=1&fields=title',
    results({ title: 'What the Gulf Keeps' })
  ),
  get(
    'sort ascends without one',
    '/api/films/?sort=title&page_size=1&fields=title',
    results({ title: 'A Toll of Salt' })
  ),
  get(
    'ordering beats sort',
    '/api/films/?sort=title:desc&ordering=title&page_size=1&fields=title',
    results({ title: 'A Toll of Salt' })
  ),
  get(
    'an empty ordering is none',
    '/api/films/?ordering=&page_size=1&fields=title',
    results({ title: 'Nine Voices' })
  ),
  refuses(
    'an unknown field',
    '/api/films/?ordering=colour',
    "Unknown field 'colour' in ordering. Known: title, episode_id, opening_crawl, director, producer, release_date, created, edited."
  ),
  refuses(
    'a link cannot be sorted by',
    '/api/films/?ordering=-planets',
    /^Unknown field 'planets' in ordering\./
  ),
  refuses(
    'an unknown field in sort',
    '/api/films/?sort=colour:asc',
    /^Unknown field 'colour' in sort\./
  ),
  refuses(
    'an unknown direction',
    '/api/films/?sort=title:up',
    "Unknown direction 'up' in sort. Known: asc, desc."
  )
])

contract('I-1, filters', subject, [
  get(
    'by value, whatever the case',
    '/api/people/?hair_color=Silver&fields=name',
    named('Emeric Montrève')
  ),
  get('by the whole value only', '/api/people/?hair_color=Silv', counts(0)),
  get('by name', '/api/people/?name=zdrana%20okrul&fields=name', named('Zdrana Okrul')),
  get(
    'by title',
    '/api/films/?title=nine%20voices&fields=title',
    results({ title: 'Nine Voices' })
  ),
  get('by model', '/api/starships/?model=vigil%20pattern&fields=name', named('Toll cutter')),
  get(
    'a number finds the text with its unit',
    '/api/people/?height=171&fields=name',
    named('Maren Tørrvik')
  ),
  get('and so does the text', '/api/people/?height=171%20cm&fields=name', named('Maren Tørrvik')),
  get('a number is no part of another', '/api/people/?height=17', counts(0)),
  get(
    'by a whole number',
    '/api/films/?episode_id=3&fields=title',
    results({ title: 'Nine Voices' })
  ),
  get(
    'one of several',
    '/api/people/?eye_color__in=quartz,violet&fields=eye_color&ordering=eye_color',
    {
      check({ text }) {
        const seen = JSON.parse(text).results.map((one: { eye_color: string }) => one.eye_color)
        assert.deepEqual([...new Set(seen)], ['quartz', 'violet'])
      }
    }
  ),
  get(
    'from a number on, itself included',
    '/api/people/?height__gte=388&fields=name',
    named('Warden of the Ninth', 'Warden of the Tenth')
  ),
  get(
    'up to a number, itself included',
    '/api/people/?mass__lte=18&fields=name,mass',
    results(
      { name: 'Tansy Tuckamore', mass: '18 kg' },
      { name: 'Long Breath Held', mass: '14.5 kg' }
    )
  ),
  get(
    'a range',
    '/api/people/?height__gte=91&height__lte=94&fields=name',
    named('Nib Tuckamore', 'Tansy Tuckamore')
  ),
  get(
    'unknown is in no range',
    '/api/planets/?population__gte=0&population__lte=99999999999999',
    counts(61)
  ),
  get(
    'years',
    '/api/people/?birth_year__gte=46ATR&fields=birth_year',
    results({ birth_year: '46ATR' }, { birth_year: '60ATR' })
  ),
  get(
    'years in lower case',
    '/api/people/?birth_year__lte=500btr&fields=birth_year',
    results({ birth_year: '2210BTR' }, { birth_year: '500BTR' })
  ),
  get(
    'days',
    '/api/films/?release_date__lte=1986-10-03&fields=title',
    results({ title: 'Nine Voices' })
  ),
  get(
    'episodes',
    '/api/films/?episode_id__gte=6&fields=episode_id',
    results({ episode_id: 6 }, { episode_id: 7 })
  ),
  get(
    'a part of the value',
    '/api/people/?skin_color__contains=OCHRE&fields=name',
    named('Irrim Dusk', 'Omet Firstlight')
  ),
  get(
    'a link by id',
    '/api/people/?homeworld=5&fields=name',
    named(
      'Borrul Nine-Winters',
      'Þessa Aldrun',
      'Eiðan Þessarun',
      'Hulda Long-Thaw',
      'Þorald Eiðarun'
    )
  ),
  get('a link by address', '/api/people/?homeworld=http://127.0.0.1/api/planets/5/', counts(5)),
  get('links by id', '/api/people/?films=4', counts(17)),
  get(
    'several links',
    '/api/species/?homeworld__in=1,2&fields=name',
    named('Repeater', 'Sound whale')
  ),
  get(
    'two filters at once',
    '/api/people/?homeworld=5&gender=female&fields=name',
    named('Þessa Aldrun', 'Hulda Long-Thaw')
  ),
  get(
    'a filter and a search',
    '/api/people/?homeworld=5&search=thaw&fields=name',
    named('Hulda Long-Thaw')
  ),
  get('an empty filter is none', '/api/people/?hair_color=', counts(EVERYONE)),
  get('url is no filter', '/api/people/?url=x', counts(EVERYONE)),
  get('a name with an unknown beginning is ignored', '/api/people/?colour__in=x', counts(EVERYONE)),
  refuses('no number', '/api/people/?height__gte=tall', 'height__gte requires a number.'),
  refuses(
    'no number at the other end',
    '/api/people/?mass__lte=light',
    'mass__lte requires a number.'
  ),
  refuses('no whole number', '/api/films/?episode_id__gte=x', 'episode_id__gte requires a number.'),
  refuses('no id', '/api/people/?films=nine', 'films requires ids.'),
  refuses('id zero', '/api/people/?films__in=1,0', 'films requires ids.'),
  refuses(
    'an unknown ending',
    '/api/people/?height__like=1',
    "Unknown filter 'height__like'. Known endings: __in, __gte, __lte, __contains."
  ),
  refuses(
    'links have no order',
    '/api/people/?films__gte=1',
    "Unknown filter 'films__gte'. Known endings: __in."
  )
])
