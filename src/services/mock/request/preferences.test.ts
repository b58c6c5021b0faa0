import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../contract.ts'
import { type Preferences, readPreferences } from './preferences.ts'
import { parseQuery } from './query-string.ts'

type Outcome = Partial<Preferences> | 'rejected'

function play(header: string | undefined, query: string): Outcome {
  try {
    const headers = header === undefined ? {} : { prefer: header }
    const all = Object.entries(readPreferences(headers, parseQuery(query)))
    return Object.fromEntries(all.filter(([, value]) => value !== undefined))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    assert.equal(error.code, 'UNPROCESSABLE_ENTITY')
    assert.equal('validation' in error.members, false)
    return 'rejected'
  }
}

const rows: [string, string | undefined, string, Outcome][] = [
  ['nothing', undefined, 'a=1', {}],
  ['code', 'code=404', '', { code: '404' }],
  ['code of two digits', 'code=40', '', 'rejected'],
  ['code that is a word', 'code=ok!', '', 'rejected'],
  ['code without a value', 'code', '', 'rejected'],
  ['code with an empty value', 'code=""', '', 'rejected'],
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
  ['dynamic that is neither', 'dynamic=yes', '', 'rejected'],
  ['a header hides all parameters', 'wait=1', '__code=404&__example=x', {}],
  [
    'parameters',
    undefined,
    '__code=404&__example=x&__dynamic=true&__seed=s',
    { code: '404', example: 'x', dynamic: true, seed: 's' }
  ],
  ['a bad parameter', undefined, '__code=4', 'rejected'],
  ['a parameter without value', undefined, '__dynamic', 'rejected'],
  ['an empty example, seed and server', undefined, '__example=&__seed&__server=', {}],
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
  ['a negative delay', 'delay=-1', '', 'rejected'],
  ['a delay above the limit', 'delay=600001', '', 'rejected'],
  ['a fault that is not a name', 'fault=1?', '', 'rejected'],
  ['an unknown validation', 'validate=no', '', 'rejected'],
  ['a session name above the limit', `session=${'x'.repeat(201)}`, '', 'rejected']
]

for (const [proves, header, query, expected] of rows) {
  test(proves, () => assert.deepEqual(play(header, query), expected))
}
