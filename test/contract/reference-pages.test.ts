import assert from 'node:assert/strict'
import { type Answer, contract, type Expected, type Row } from '../support/contract.ts'

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
      '<ul><li><a href="/api/films/1/">Nine Voices</a></li>'
    )
  }),
  page('a record: its picture and other forms', '/api/people/1/', {
    ...has(
      '<img class="picture" src="/api/people/1/image.svg" alt=""',
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
  page('a record: no links is said', '/api/people/88/', has('<span class="soft">none</span>')),
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
      '<th scope="row"><a href="/api/people/1/">Maren Tørrvik</a></th>',
      '<th scope="col">Birth year</th>',
      '88 records',
      '<input type="search" name="search" value="">',
      '<a rel="next" href="?page=2">',
      'Page 1 of 9'
    )
  }),
  page('a first page has no previous', '/api/people/', lacks('rel="prev"', 'Skin color')),
  page('a last page has no next', '/api/people/?page=9', {
    ...has('<a rel="prev" href="?page=8">')
  }),
  page('a last page, the other half', '/api/people/?page=last', lacks('rel="next"')),
  page(
    'a search is kept and turned over',
    '/api/people/?search=a',
    has('value="a"', 'found for “a”', 'href="?search=a&amp;page=2"')
  ),
  page('one record is one record', '/api/people/?search=zdrana', has('1 record found')),
  page('a single page is not turned over', '/api/films/', lacks('aria-label="Pages"')),
  page('what was searched for cannot break out', '/api/people/?search=%22%3E%3Cscript%3E', {
    ...lacks('"><script')
  }),
  page('several records', '/api/people/1,2/', has('Maren Tørrvik', 'Odrane Vauquelin')),
  page('several records cannot be searched', '/api/people/1,2/', lacks('type="search"', 'Page 1')),
  page(
    'the start page',
    '/',
    has(
      '<h1>Skerrylight</h1>',
      '<td class="number">88</td>',
      'BTR before it, ATR after it',
      '<li><a href="/api/people/1/">Maren Tørrvik</a></li>',
      '/api/people/1/</span></pre>',
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
