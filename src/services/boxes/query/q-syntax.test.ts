import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Filter, Test } from './filter.ts'
import { parseQ, rejectSlips, tidyExpression } from './q-syntax.ts'

function member(path: string[], test: Test): Filter {
  return { kind: 'member', path, test }
}

function like(op: 'equals' | 'startsWith' | 'endsWith' | 'contains', text: string): Test {
  return { op, text, folded: true }
}

function check(q: string | string[], ...filters: Filter[]): void {
  const expected = { kind: 'and', filters }
  assert.deepEqual(parseQ(Array.isArray(q) ? q : [q]), expected, String(q))
}

test('values, in the order in which they are recognised', () => {
  check('a:>=1', member(['a'], { op: 'gte', value: 1 }))
  check('a:<=1', member(['a'], { op: 'lte', value: 1 }))
  check('a:>1', member(['a'], { op: 'gt', value: 1 }))
  check('a:<1', member(['a'], { op: 'lt', value: 1 }))
  check('a:=1', member(['a'], { op: 'in', values: [1] }))
  check('a:true', member(['a'], { op: 'in', values: [true] }))
  check('a:false', member(['a'], { op: 'in', values: [false] }))
  check('a:*x*', member(['a'], like('contains', 'x')))
  check('a:*x', member(['a'], like('endsWith', 'x')))
  check('a:x*', member(['a'], like('startsWith', 'x')))
  check('a:*', member(['a'], like('endsWith', '')))
  check('a:**', member(['a'], like('contains', '')))
  check('a:25', member(['a'], like('equals', '25')))
  check('a:', member(['a'], like('equals', '')))
  check('a:True', member(['a'], like('equals', 'true')))
  check('a:x*y', member(['a'], like('equals', 'x*y')))
  check('a:[.+(', member(['a'], like('equals', '[.+(')))
})

test('decimal numbers compare as numbers, other values as strings', () => {
  for (const [text, value] of [
    ['-1.5', -1.5],
    ['+2', 2],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    [' 7 ', 7],
    ['1e400', Number.MAX_VALUE],
    ['-1e400', -Number.MAX_VALUE],
    ['', ''],
    ['0x10', '0x10'],
    ['Infinity', 'Infinity'],
    ['2020-05', '2020-05'],
    ['.', '.'],
    ['1e', '1e'],
    ['ABC', 'ABC']
  ] as const) {
    check(`a:>${text}`, member(['a'], { op: 'gt', value }))
  }
})

test('case and normalisation form of strings do not matter', () => {
  check('a:\u212aELVIN', member(['a'], like('equals', 'kelvin')))
  check('a:E\u0301*', member(['a'], like('startsWith', 'é')))
})

test('a comma without a term after it is part of the value', () => {
  check('name:Hello, Jsonbox', member(['name'], like('equals', 'hello, jsonbox')))
  check('a:x,y,b:z', member(['a'], like('equals', 'x,y')), member(['b'], like('equals', 'z')))
  check('a:x,', member(['a'], like('equals', 'x,')))
  check(
    'age:>=10,age:<20',
    member(['age'], { op: 'gte', value: 10 }),
    member(['age'], { op: 'lt', value: 20 })
  )
  check(['a:1', 'b:2'], member(['a'], like('equals', '1')), member(['b'], like('equals', '2')))
  check('a:x\\,b:y', member(['a'], like('equals', 'x,b:y')))
})

test('only the first colon separates', () => {
  check('t:10:30', member(['t'], like('equals', '10:30')))
  check('a\\:b:c', member(['a:b'], like('equals', 'c')))
})

test('dots separate the names of a path unless they are escaped', () => {
  check('a.b.0:x', member(['a', 'b', '0'], like('equals', 'x')))
  check('a\\.b:x', member(['a.b'], like('equals', 'x')))
  check('a.:x', member(['a', ''], like('equals', 'x')))
  check('po[poiioip:x', member(['po[poiioip'], like('equals', 'x')))
})

test('a backslash escapes the next character', () => {
  check('n:*\\*', member(['n'], like('endsWith', '*')))
  check('n:\\*x', member(['n'], like('equals', '*x')))
  check('n:\\*x*', member(['n'], like('startsWith', '*x')))
  check('n:x\\\\*', member(['n'], like('startsWith', 'x\\')))
  check('n:\\>1', member(['n'], like('equals', '>1')))
  check('n:\\true', member(['n'], like('equals', 'true')))
  check('n:>\\a\\\\', member(['n'], { op: 'gt', value: 'a\\' }))
  check('n:x\\\ny', member(['n'], like('equals', 'x\ny')))
})

test('strings are converted as in the query copy', () => {
  check('a\0:=\ud800', member(['a\uFFFD'], { op: 'in', values: ['\uFFFD'] }))
})

test('system fields are strings and dates', () => {
  check('_id:=123', { kind: 'system', field: '_id', test: { op: 'in', values: ['123'] } })
  check('_collection:true', {
    kind: 'system',
    field: '_collection',
    test: like('equals', 'true')
  })
  const [from, to] = [Date.UTC(2020, 0), Date.UTC(2021, 0)]
  check('_createdOn:>=2020', { kind: 'date', field: '_createdOn', from, to: Infinity })
  check('_updatedOn:2020', { kind: 'date', field: '_updatedOn', from, to })
  check('_createdOn:=2020', {
    kind: 'or',
    filters: [{ kind: 'date', field: '_createdOn', from, to }]
  })
  check('_createdOn:2020*', {
    kind: 'system',
    field: '_createdOn',
    test: like('startsWith', '2020')
  })
  check('_id.x:1', member(['_id', 'x'], like('equals', '1')))
  check('_expiry:1', member(['_expiry'], like('equals', '1')))
})

function checkRejected(q: string, reason: string): void {
  const expected = { code: 'INVALID_QUERY', statusCode: 400, message: 'Invalid query', reason }
  assert.throws(() => parseQ([q]), expected, q)
}

test('invalid expressions are rejected', () => {
  checkRejected('', '"" has no ":"')
  checkRejected('name', '"name" has no ":"')
  checkRejected('a\\:b', '"a\\:b" has no ":"')
  checkRejected(',a:b', '"" has no ":"')
  checkRejected(':x', '":x" has no name before the ":"')
  checkRejected('a:b,:x', '":x" has no name before the ":"')
  checkRejected('a:b\\', 'a "\\" at the end escapes nothing')
  checkRejected('_createdOn:>x', '_createdOn must be compared with an ISO date')
  checkRejected('_updatedOn:yesterday', '_updatedOn must be compared with an ISO date')
})

/** The part of an expression that an error is about. */
function wrongPart(run: () => void, expression: string): string | undefined {
  try {
    run()
  } catch (error) {
    const { at }: { at?: { start: number; end: number } } = Object(error)
    return at && expression.slice(at.start, at.end)
  }
  return assert.fail(`${expression} is valid`)
}

test('an error says which part of the expression is wrong', () => {
  for (const [q, wrong] of [
    ['name', 'name'],
    ['a:b,:x', ':x'],
    ['a:1,b:2\\', '\\'],
    ['a:1,_createdOn:>x,b:2', '_createdOn:>x'],
    [`a:1,${'b'.repeat(129)}:2`, `${'b'.repeat(129)}:2`]
  ] as const) {
    assert.equal(
      wrongPart(() => parseQ([q]), q),
      wrong
    )
  }
})

test('slips of people are valid for programs, and found for people', () => {
  for (const [q, wrong] of [
    ['name:::', '::'],
    ['a:1, name::ada', ':'],
    ['age:>', '>'],
    ['a:1,age:>= ', '>=']
  ] as const) {
    parseQ([q])
    assert.equal(
      wrongPart(() => rejectSlips(q), q),
      wrong
    )
  }
  for (const q of ['t:10:30', 'a:\\:b', 'name:', 'a:=x', 'name:Hello, world']) rejectSlips(q)
})

test('spaces that people type around names and values do not count', () => {
  assert.equal(tidyExpression('name: ada* , stars:>3 '), 'name:ada*,stars:>3')
  assert.equal(tidyExpression('name:Hello, world'), 'name:Hello, world')
  assert.equal(tidyExpression('a:b\\ '), 'a:b\\ ')
})

test('limits', () => {
  const term = (name: string) => `${name}:1`
  const segments = (count: number) => Array(count).fill('a').join('.')
  parseQ([term('a'.repeat(128)), term(segments(16)), Array(98).fill('a:1').join(',')])
  checkRejected(term('a'.repeat(129)), 'a path segment of more than 128 characters')
  checkRejected(term(segments(17)), 'a path of more than 16 segments')
  checkRejected(Array(101).fill('a:1').join(','), 'more than 100 conditions')
  parseQ([`a:${'é'.repeat(4095)}`])
  checkRejected(`a:${'é'.repeat(4096)}`, 'longer than 8192 bytes')
  assert.throws(() => parseQ(Array(3).fill(`a:${'x'.repeat(4000)}`)), { code: 'INVALID_QUERY' })
})
