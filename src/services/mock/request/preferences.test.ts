import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../contract.ts'
import { type Preferences, readPreferences } from './preferences.ts'
import { parseQuery } from './query-string.ts'

type Outcome = Partial<Preferences> | 'refused'

function play(header: string | undefined, query: string): Outcome {
  try {
    const headers = header === undefined ? {} : { prefer: header }
    const all = Object.entries(readPreferences(headers, parseQuery(query)))
    return Object.fromEntries(all.filter(([, value]) => value !== undefined))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    assert.equal(error.code, 'UNPROCESSABLE_ENTITY')
    assert.equal('validation' in error.members, false)
    return 'refused'
  }
}

const rows: [string, string | undefined, string, Outcome][] = [
  ['nothing', undefined, 'a=1', {}],
  ['code', 'code=404', '', { code: '404' }],
  ['code of two digits', 'code=40', '', 'refused'],
  ['code that is a word', 'code=ok!', '', 'refused'],
  ['code without a value', 'code', '', 'refused'],
  ['code with an empty value', 'code=""', '', 'refused'],
  ['quotes', 'example="a, b;c"', '', { example: 'a, b;c' }],
  ['escaped quotes', 'example="a\\"b"', '', { example: 'a"b' }],
  ['an open quote', 'example="a, code=404', '', { example: '"a, code=404' }],
  ['keys in any case', 'CODE=200, Example=x', '', { code: '200', example: 'x' }],
  ['the first one counts', 'code=200, code=404', '', { code: '200' }],
  ['spaces around the sign', 'code = 200 ,example= x', '', { code: '200', example: 'x' }],
  ['a semicolon begins a parameter', 'code=200; example=x', '', { code: '200' }],
  ['unknown keys', 'respond-async, wait=10, code=201', '', { code: '201' }],
  ['names of a prototype', 'constructor=1, __proto__=2', '', {}],
  ['dynamic', 'dynamic=true, seed=abc', '', { dynamic: true, seed: 'abc' }],
  ['not dynamic', 'dynamic=false', '', { dynamic: false }],
  ['dynamic that is neither', 'dynamic=yes', '', 'refused'],
  ['a header hides all parameters', 'wait=1', '__code=404&__example=x', {}],
  [
    'parameters',
    undefined,
    '__code=404&__example=x&__dynamic=true&__seed=s',
    { code: '404', example: 'x', dynamic: true, seed: 's' }
  ],
  ['a bad parameter', undefined, '__code=4', 'refused'],
  ['a parameter without value', undefined, '__dynamic', 'refused'],
  ['an example, a seed, a server of no text', undefined, '__example=&__seed&__server=', {}],
  ['a server', undefined, '__server=http%3A%2F%2Fx%2Fv1', { server: 'http://x/v1' }],
  ['a server beside a header', 'code=200', '__server=x', { code: '200', server: 'x' }],
  [
    'delay, fault, validate and session',
    'delay=250, fault=reset, validate=off, session=a-1',
    '',
    { delay: 250, fault: 'reset', validate: 'off', session: 'a-1' }
  ],
  [
    'their parameters',
    undefined,
    '__delay=0&__fault=empty&__validate=response&__session=s',
    { delay: 0, fault: 'empty', validate: 'response', session: 's' }
  ],
  ['a delay below nothing', 'delay=-1', '', 'refused'],
  ['a delay without end', 'delay=600001', '', 'refused'],
  ['a fault that is no name', 'fault=1?', '', 'refused'],
  ['a validation nobody knows', 'validate=no', '', 'refused'],
  ['an endless session', `session=${'x'.repeat(201)}`, '', 'refused']
]

for (const [proves, header, query, expected] of rows) {
  test(proves, () => assert.deepEqual(play(header, query), expected))
}
