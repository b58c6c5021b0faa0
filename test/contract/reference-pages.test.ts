import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { type Answer, contract, type Expected, type Row } from '../support/contract.ts'
import { smallUniverse, writeFolder } from './reference-universe.ts'

const HTML = 'text/html; charset=utf-8'

function page(proves: string, path: string, expect: Partial<Expected>): Row {
  return {
    proves,
    send: { path, headers: { accept: 'text/html' } },
    expect: { status: 200, type: HTML, ...expect }
  }
}

function has(...parts: string[]): Pick<Expected, 'check'> {
  return {
    check({ text }: Answer) {
      for (const part of parts) assert.ok(text.includes(part), `${part} in\n${text}`)
    }
  }
}

function lacks(...parts: string[]): Pick<Expected, 'check'> {
  return {
    check({ text }: Answer) {
      for (const part of parts) assert.ok(!text.includes(part), `${part} in\n${text}`)
    }
  }
}

contract('I-1, pages for readers', { service: 'reference' }, [
  page('a record: title, labels, values', '/api/people/1/', {
    ...has(
      '<h1>Maren Tørrvik</h1>',
      '<dt>Hair color</dt>\n<dd>brown</dd>',
      '<dd>171 cm</dd>',
      '<dt>Created</dt>\n<dd><time datetime="2026-01-14T'
    )
  }),
  page('a record: links by name, one or many', '/api/people/1/', {
    ...has(
      '<dd><a href="/api/planets/1/">Sundrey</a></dd>',
      '<h2>Films <small>6</small> <a href="/api/films/?characters=1" aria-label="Films as a list">',
      'src="/api/films/1/image.svg" alt="" width="40" height="40" loading="lazy">Nine Voices</a></li>'
    )
  }),
  page('a record: its picture and other forms', '/api/people/1/', {
    ...has(
      '<img class="poster" src="/api/people/1/image.svg" alt="" width="320"',
      'href="/api/people/1/?format=json"',
      'href="/api/people/schema"',
      'href="/api/people/">People</a>'
    )
  }),
  page(
    'a record: the name and the address are not repeated',
    '/api/people/1/',
    lacks('<dt>Name</dt>', '<dt>Url</dt>')
  ),
  page('a record: fields without links are named', '/api/people/88/', {
    ...has('<p class="soft">None: vehicles, starships.</p>')
  }),
  page('a record: the request and its response stand beside it', '/api/people/88/?units=off', {
    check({ text }: Answer) {
      const [, url = ''] = /<div class="address"><code>([^<]*)</.exec(text) ?? []
      assert.match(url, /^http:\/\/[^/]+\/api\/people\/88\/\?units=off$/)
      const shown = text.slice(text.indexOf('<pre'), text.indexOf('</pre>'))
      const json = shown.replace(/<[^>]*>/g, '').replaceAll('&quot;', '"')
      assert.deepEqual(
        [JSON.parse(json).height, JSON.parse(json).url],
        ['166', url.replace('?units=off', '')]
      )
      assert.ok(text.includes(`curl <span class="hl-text">&#39;${url}&#39;</span>`), 'curl')
    }
  }),
  page(
    'a record: the records before and after it are named',
    '/api/people/2/',
    has('rel="prev"><small>Previous</small>Maren', 'class="next"><small>Next</small>Carry the One')
  ),
  page(
    'a record: a long response is cut, and its URL leads to all of it',
    '/api/films/1/?expand=characters',
    has(
      'This is the beginning; <a href="/api/films/1/?expand=characters">the JSON</a> is longer.',
      'href="/api/films/1/?expand=characters&amp;format=json"'
    )
  ),
  page('the current type is marked, on a record too', '/api/people/88/', {
    check({ text }: Answer) {
      const marked = [...text.matchAll(/<a href="([^"]*)" aria-current="page">/g)]
      assert.deepEqual(
        marked.map(([, href]) => href),
        ['/api/people/']
      )
    }
  }),
  page(
    'numbers are grouped and get their unit',
    '/api/planets/1/',
    has('<dd>41,200,000</dd>', '<dd>11,840 km</dd>', '<dd>86%</dd>', '<dd>26 hours</dd>')
  ),
  page(
    'words stay words',
    '/api/starships/2/',
    has('<dt>Cost in credits</dt>\n<dd>unknown</dd>', '<dt>MGLT</dt>')
  ),
  page('a crawl keeps its lines', '/api/films/1/', has('<dd class="prose">For forty-one years')),
  page('a list: names, main fields, count, search, next page', '/api/people/', {
    ...has(
      '<h1>People</h1>',
      'width="40" height="40" loading="lazy">Maren Tørrvik</a></th>',
      '<a class="sort" href="/api/people/?ordering=birth_year">Birth year</a></th>',
      'role="status">88 records</p>',
      '<input type="search" name="search" value="" ',
      '<a rel="next" href="?page=2">',
      'Page 1 of 9'
    )
  }),
  page('a first page has no previous', '/api/people/', lacks('rel="prev"', '>Skin color</a>')),
  page('a last page has no next', '/api/people/?page=9', {
    ...has('<a rel="prev" href="?page=8">')
  }),
  page('a last page, the other half', '/api/people/?page=last', lacks('rel="next"')),
  page(
    'a search is kept and turned over',
    '/api/people/?search=a',
    has(
      'value="a"',
      '<li><a href="/api/people/" aria-label="Remove the filter Search: a">Search: a <b>',
      'href="?search=a&amp;page=2"'
    )
  ),
  page('one record is one record', '/api/people/?search=zdrana', has('>1 record of 88</p>')),
  page('a single page is not turned over', '/api/films/', lacks('rel="next"', 'Page 1')),
  page('a list without a match names the lists that have one', '/api/planets/?search=maren', {
    ...has(
      '<p>No record matches.</p>',
      '<li><a href="/api/people/?search=maren">People</a>: 1 record</li>',
      '<a href="/api/planets/">show all 62 planets</a>'
    )
  }),
  page('what was searched for cannot break out', '/api/people/?search=%22%3E%3Cscript%3E', {
    ...lacks('"><script')
  }),
  page('a number without a unit has its name for phones', '/api/planets/', {
    ...has('<span class="noun">Population </span>41,200,000</td>')
  }),
  page('several records', '/api/people/1,2/', has('Maren Tørrvik', 'Odrane Vauquelin')),
  page('several records cannot be searched', '/api/people/1,2/', lacks('type="search"', 'Page 1')),
  page(
    'the start page',
    '/',
    has(
      '<h1>Skerrylight</h1>',
      '<a href="/api/people/">People</a> <span class="soft">88</span>',
      'BTR before it, ATR after it',
      '<a class="film quietly" href="/api/films/1/"><img class="poster"',
      'fields=name,height&#39;</span></pre>',
      'href="/api/?format=json"'
    )
  ),
  page('the start page of the api', '/api/', has('<h1>Skerrylight</h1>')),
  page('an unknown address', '/nowhere', {
    status: 404,
    ...has('>404</p><h1>Not found</h1>', 'href="/api/people/"')
  }),
  page('an unknown record', '/api/people/999/', {
    status: 404,
    headers: { 'access-control-allow-origin': '*', vary: 'Accept, Accept-Encoding' }
  }),
  page('an unknown page', '/api/people/?page=99', { status: 404 }),
  page('a method that is refused', '/api/people/1/', { ...has('<h1>Maren') }),
  {
    proves: 'a failure in JSON when the format says so',
    send: { path: '/api/people/999/?format=json', headers: { accept: 'text/html' } },
    expect: { status: 404, type: 'application/json' }
  },
  {
    proves: 'a failure as a page when the format says so',
    send: { path: '/api/people/999/?format=api' },
    expect: { status: 404, type: HTML }
  },
  {
    proves: 'a failure as a page when the parameter says so',
    send: { path: '/api/people/999/?accept=text/html' },
    expect: { status: 404, type: HTML }
  },
  {
    proves: 'a refused method as a page',
    send: { method: 'DELETE', path: '/api/people/1/', headers: { accept: 'text/html' } },
    expect: { status: 405, type: HTML, headers: { allow: 'GET, HEAD, OPTIONS' } }
  },
  page('a page loads nothing foreign and is not framed', '/api/people/1/', {
    headers: {
      'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
      'access-control-allow-origin': '*',
      vary: 'Accept, Accept-Encoding',
      etag: /^"/
    }
  })
])

contract('I-1, order and filters on a page', { service: 'reference' }, [
  page('the column that the list is sorted by is marked', '/api/people/?ordering=-height', {
    ...has(
      'aria-sort="descending"><a class="sort" href="/api/people/?ordering=height">Height</a>',
      '<option value="-height" selected>Height, highest first'
    )
  }),
  page('another click sorts the other way', '/api/people/?sort=height:asc&page=2', {
    ...has('aria-sort="ascending"><a class="sort" href="/api/people/?ordering=-height">Height</a>')
  }),
  page('a field that is no column becomes one when it sorts', '/api/people/?ordering=eye_color', {
    ...has('aria-sort="ascending"><a class="sort" href="/api/people/?ordering=-eye_color">')
  }),
  page('an order by several fields stays in the form', '/api/people/?ordering=gender,-mass', {
    ...has('<option value="gender,-mass" selected>Gender, then mass (descending)')
  }),
  page('links cannot be sorted by', '/api/people/', {
    ...has('<th scope="col">Homeworld</th>')
  }),
  page(
    'filters stand in the form and above the list, each with a link that removes it',
    '/api/people/?homeworld=5&height__gte=180&page_size=2',
    has(
      '<option value="5" selected>Þelmark',
      '<input name="height__gte" value="180"',
      '<a href="/api/people/?height__gte=180&amp;page_size=2" aria-label="Remove the filter Homeworld: Þelmark"',
      '<a href="/api/people/?homeworld=5&amp;page_size=2" aria-label="Remove the filter Height from 180 cm"',
      '<a href="/api/people/?page_size=2">Remove all</a>',
      '3 records of 88',
      '<input type="hidden" name="page_size" value="2">'
    )
  ),
  page(
    'a filter without a field in the form is kept when the form is sent',
    '/api/people/?gender__in=queen,drone',
    has(
      '<input type="hidden" name="gender__in" value="queen,drone">',
      '>Gender: queen or drone <b>',
      '/api/people/?gender__in=queen,drone</code>'
    )
  ),
  page('a filter by URL or in capitals selects its value', '/api/people/?gender=FEMALE', {
    ...has('<option value="female" selected>')
  }),
  page('a value that no record has stays selected', '/api/people/?gender=robot', {
    ...has('<option value="robot" selected>robot', '0 records of 88')
  }),
  page('the request does not have what only the page needs', '/api/people/?format=api&page=2', {
    check({ text }: Answer) {
      assert.match(text, /<code>http:\/\/[^/]+\/api\/people\/\?page=2<\/code>/)
    }
  }),
  page('what was filtered for cannot break out', '/api/people/?gender=%22%3E%3Cscript%3E', {
    check({ text }: Answer) {
      assert.doesNotMatch(text.slice(text.indexOf('<main')), /<script/)
    }
  }),
  page('fields that are sent empty are no filters', '/api/people/?search=&gender=&height__gte=', {
    ...has('role="status">88 records</p>')
  }),
  page('a filter that is no number is an error with its name', '/api/people/?height__gte=tall', {
    status: 400,
    ...has('height__gte requires a number.')
  })
])

test('every page of a large data set with long names is at most 100 KB', async () => {
  const large = smallUniverse()
  const [person] = large.people
  assert.ok(person)
  const people = Array.from({ length: 600 }, (_, index) => {
    const name = `${index} ${'Long & “quoted” name '.repeat(5)}`.slice(0, 100)
    return { ...person, id: index + 1, name, gender: `gender ${index % 90}`, homeworld: 1 }
  })
  const all = people.map(({ id }) => id)
  const [film] = large.films
  assert.ok(film)
  const data = await writeFolder({
    ...large,
    people,
    films: [{ ...film, characters: all, opening_crawl: '“<&>”'.repeat(200) }]
  })
  await using nonet = await start({ services: ['reference'], reference: { data } })
  for (const path of [
    '',
    'people/?page_size=500',
    `people/${all.slice(0, 100).join(',')}/`,
    'people/1/',
    'planets/1/?expand=residents',
    'films/1/?expand=characters',
    'films/'
  ]) {
    const url = `${nonet.reference.url}/api/${path}`
    const answer = await fetch(url, { headers: { accept: 'text/html' } })
    assert.equal(answer.status, 200, path)
    const { byteLength } = await answer.arrayBuffer()
    assert.ok(byteLength <= 100 * 1024, `${path} has ${byteLength} bytes`)
  }
  const film1 = await fetch(`${nonet.reference.url}/api/films/1/?format=api`)
  assert.match(await film1.text(), /<a href="\/api\/people\/\?films=1">and 560 more<\/a>/)
})

test('a type without records says so', async () => {
  const small = smallUniverse()
  const films = small.films.map((film) => ({ ...film, vehicles: [] }))
  const data = await writeFolder({ ...small, films, vehicles: [] })
  await using nonet = await start({ services: ['reference'], reference: { data } })
  const page = await fetch(`${nonet.reference.url}/api/vehicles/?format=api`)
  assert.match(await page.text(), /This data set has no vehicles\./)
  assert.equal((await fetch(`${nonet.reference.url}/?format=api`)).status, 200)
})
