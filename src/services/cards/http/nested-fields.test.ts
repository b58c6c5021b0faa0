import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nestFields } from './nested-fields.ts'

function nested(form: string): object | undefined {
  const values = nestFields(new URLSearchParams(form))
  return values && Object.fromEntries(values)
}

test('brackets are members and elements, repeated names are arrays', () => {
  assert.deepEqual(nested('value[text]=a&idLabels[1]=y&idLabels[0]=x&a=1&a=2&b[]=1&b[]=2'), {
    value: { text: 'a' },
    idLabels: ['x', 'y'],
    a: ['1', '2'],
    b: ['1', '2']
  })
})

test('slashes, underscores and odd brackets are parts of names', () => {
  assert.deepEqual(nested('prefs/voting=a&prefs_voting=b&[a]=1&a[=2&a[b]c=3'), {
    'prefs/voting': 'a',
    prefs_voting: 'b',
    '[a]': '1',
    'a[': '2',
    'a[b]c': '3'
  })
})

test('names of JavaScript are members like others, and depth has a limit', () => {
  const value = nestFields(new URLSearchParams('a[__proto__][b]=1'))?.get('a')
  assert.deepEqual(Object.keys(Object(value)), ['__proto__'])
  assert.equal(Reflect.get({}, 'b'), undefined)
  assert.equal(nested('a[b][c][d][e][f]=1'), undefined)
})
