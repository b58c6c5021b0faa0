import assert from 'node:assert/strict'
import { contract, type Expected, type Row } from '../support/contract.ts'
import { ask, body, get, MAREN, missing, subject } from './reference-rows.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

function readsAs(type: string): Expected {
  return { status: 200, type }
}

contract('I-1, forms of the original', subject, [
  ask('anything is JSON', '/api/people/1/', { accept: '*/*' }, readsAs('application/json')),
  ask(
    'JSON wins a tie',
    '/api/people/1/',
    { accept: 'text/html, application/json' },
    readsAs('application/json')
  ),
  ask(
    'what axios sends is JSON',
    '/api/people/1/',
    { accept: 'application/json, text/plain, */*' },
    readsAs('application/json')
  ),
  ask(
    'a browser gets a page',
    '/api/people/1/',
    { accept: BROWSER },
    readsAs('text/html; charset=utf-8')
  ),
  ask(
    'a lower quality loses',
    '/api/people/1/',
    { accept: 'text/html;q=0.4, application/*;q=0.5' },
    readsAs('application/json')
  ),
  ask(
    'nothing acceptable',
    '/api/people/1/',
    { accept: 'image/png' },
    {
      status: 406,
      type: 'application/json',
      json: { detail: 'Could not satisfy the request Accept header' }
    }
  ),
  ask('nothing acceptable in a list', '/api/people/', { accept: 'image/png' }, { status: 406 }),
  ask(
    'indented JSON',
    '/api/people/1/',
    { accept: 'application/json; indent=4' },
    { status: 200, type: 'application/json', text: /^\{\n {4}"name": "Maren Tørrvik",\n/ }
  ),
  get('accept as a parameter overrides the header', '/api/people/1/?accept=text/html', {
    type: 'text/html; charset=utf-8'
  }),
  ask(
    'format=json overrides the header',
    '/api/people/1/?format=json',
    { accept: BROWSER },
    { status: 200, type: 'application/json', ...body(MAREN) }
  ),
  get('format=api is the page', '/api/people/1/?format=api', { type: 'text/html; charset=utf-8' }),
  get('an empty format is none', '/api/people/1/?format=', body(MAREN)),
  missing('an unknown format', '/api/people/1/?format=xml'),
  missing('a format named like a property of objects', '/api/people/1/?format=constructor'),
  get('a record in wookiee', '/api/people/1/?format=wookiee&fields=name,url', {
    type: 'application/json; charset=utf-8',
    check({ text }) {
      const { whrascwo, hurcan } = JSON.parse(text)
      assert.equal(whrascwo, 'Mrarcwowh Tørcrchoahor')
      assert.match(hurcan, /^acaoaoak:\/\/[\d.:]+\/raakah\/akwoooakanwo\/1\/$/)
    }
  }),
  get('a list in wookiee is valid JSON and keeps null', '/api/people/?format=wookiee&page=last', {
    check: ({ text }) => assert.equal(JSON.parse(text).whwokao, null)
  }),
  get('a film in wookiee keeps its line breaks and numbers', '/api/films/1/?format=wookiee', {
    check({ text }) {
      const film = JSON.parse(text)
      assert.equal(film.woakahcoowawo_ahwa, 3)
      assert.match(film.ooakwowhahwhrr_oarcraohan, /\r\n/)
    }
  }),
  get(
    'errors stay readable in wookiee',
    '/api/people/999/?format=wookiee',
    { json: { detail: 'Not found' } },
    404
  ),
  get('the schema of a type', '/api/people/schema', {
    type: 'application/json',
    check({ text }) {
      const schema = JSON.parse(text)
      assert.deepEqual(Object.keys(schema), [
        '$schema',
        'title',
        'description',
        'type',
        'properties',
        'required'
      ])
      assert.equal(schema.$schema, 'http://json-schema.org/draft-04/schema')
      assert.equal(schema.title, 'People')
      assert.deepEqual(schema.required, Object.keys(JSON.parse(MAREN)))
      assert.deepEqual(schema.properties.height, {
        type: 'string',
        description: 'Height in centimetres.'
      })
      assert.deepEqual(schema.properties.films, {
        type: 'array',
        items: { type: 'string', format: 'uri' },
        description: 'Films this person appears in.'
      })
      assert.deepEqual(schema.properties.homeworld, {
        type: 'string',
        format: 'uri',
        description: 'Planet of birth.'
      })
    }
  }),
  get('the schema with a slash', '/api/films/schema/', {
    check({ text }) {
      const { properties } = JSON.parse(text)
      assert.deepEqual(properties.episode_id, {
        type: 'integer',
        description: 'Number of the episode.'
      })
      assert.equal(properties.release_date.format, 'date')
      assert.equal(properties.edited.format, 'date-time')
      assert.equal(properties.url.format, 'uri')
    }
  }),
  get('only a species may lack a homeworld', '/api/species/schema', {
    check: ({ text }) =>
      assert.deepEqual(JSON.parse(text).properties.homeworld.type, ['string', 'null'])
  }),
  ask(
    'a browser gets the schema as JSON',
    '/api/people/schema',
    { accept: BROWSER },
    readsAs('application/json')
  )
])

const OPTIONS_TAIL =
  '"description":"","renders":["application/json","text/html","application/json"],' +
  '"parses":["application/json","application/x-www-form-urlencoded","multipart/form-data"]}'

function options(path: string, name: string): Row {
  return ask(
    `OPTIONS of ${path}`,
    path,
    {},
    {
      status: 200,
      type: 'application/json',
      text: `{"name":"${name}",${OPTIONS_TAIL}`,
      headers: { 'access-control-allow-origin': '*', allow: 'GET, HEAD, OPTIONS' }
    },
    'OPTIONS'
  )
}

function refused(method: string, path: string, type: string): Row {
  return {
    proves: `${method} ${path} with ${type} is refused unread`,
    send: { method, path, headers: { 'content-type': type }, body: '{"broken' },
    expect: {
      status: 405,
      type: 'application/json',
      text: `{"detail":"Method '${method}' not allowed."}`,
      headers: { allow: 'GET, HEAD, OPTIONS', 'access-control-allow-origin': '*' }
    }
  }
}

contract('I-1, methods and headers', subject, [
  get('headers of a record', '/api/people/1/', {
    headers: {
      allow: 'GET, HEAD, OPTIONS',
      vary: 'Accept, Accept-Encoding',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag, Last-Modified',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'cache-control': 'no-cache',
      'last-modified': 'Sat, 31 Jan 2026 09:23:11 GMT',
      etag: /^"[\w-]{27}"$/
    }
  }),
  get(
    'headers of an error',
    '/api/people/999/',
    {
      headers: {
        vary: 'Accept, Accept-Encoding',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        etag: null
      }
    },
    404
  ),
  get(
    'a malformed address can be read across origins',
    '/api/%zz',
    { headers: { 'access-control-allow-origin': '*' } },
    404
  ),
  get('the root has an ETag', '/api/', { headers: { etag: /^"/, 'last-modified': /GMT$/ } }),
  ask(
    'HEAD has the length and no body',
    '/api/planets/2/',
    {},
    { status: 200, text: '', headers: { 'content-length': /^\d{3,}$/, etag: /^"/ } },
    'HEAD'
  ),
  ask(
    'HEAD of a list',
    '/api/people/',
    {},
    { status: 200, text: '', headers: { 'content-length': /^\d{4,}$/ } },
    'HEAD'
  ),
  ask('HEAD of nothing', '/api/people/999/', {}, { status: 404, text: '' }, 'HEAD'),
  options('/', 'Api Root'),
  options('/api/', 'Api Root'),
  options('/api/people/', 'People List'),
  options('/api/people/1', 'People Instance'),
  options('/api/planets/1/', 'Planet Instance'),
  options('/api/films/', 'Film List'),
  options('/api/species/', 'Species List'),
  options('/api/vehicles/', 'Vehicle List'),
  options('/api/starships/', 'Starship List'),
  ask(
    'OPTIONS of an unknown address',
    '/nowhere',
    {},
    { status: 404, json: { detail: 'Not found' } },
    'OPTIONS'
  ),
  ask(
    'a preflight',
    '/api/people/1/',
    {
      origin: 'https://example.org',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'content-type, x-own'
    },
    {
      status: 204,
      text: '',
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': 'content-type, x-own',
        'access-control-max-age': '86400',
        vary: 'Accept, Accept-Encoding, Access-Control-Request-Headers'
      }
    },
    'OPTIONS'
  ),
  ask(
    'a preflight of an unknown address, so that the 404 can be read',
    '/nowhere',
    { 'access-control-request-method': 'GET' },
    {
      status: 204,
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': null }
    },
    'OPTIONS'
  ),
  refused('POST', '/api/people/', 'application/json'),
  refused('PUT', '/api/people/1/', 'text/weird'),
  refused('PATCH', '/api/people/1', 'application/json'),
  refused('DELETE', '/', 'text/plain'),
  refused('POST', '/api/people/999/', 'multipart/form-data'),
  refused('PROPFIND', '/api/', 'text/xml')
])
